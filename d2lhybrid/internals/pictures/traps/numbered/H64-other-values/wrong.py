from d2lhybrid import nd
from d2lhybrid.gluon import nn

x = nd.array([[1, 2, 3], [4, 5, 6]])


class Net(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        scale = {"NDArray": 1, "Symbol": 2}[type(x).__name__]
        return x * scale


net = Net()
net.hybridize()
net(x)
