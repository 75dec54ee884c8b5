from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn

x = nd.array([[1, 2, 3], [4, 5, 6]])


class Net(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        if autograd.is_training():
            x = x * 2
        return x


net = Net()
net.hybridize()
net(x)
