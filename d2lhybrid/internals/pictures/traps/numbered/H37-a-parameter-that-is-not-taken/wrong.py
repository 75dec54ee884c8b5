from d2lhybrid import nd
from d2lhybrid.gluon import nn

x = nd.array([[1, 2, 3], [4, 5, 6]])


class Net(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.weight = self.params.get("weight", shape=(3,), init="ones")

    def hybrid_forward(self, F, x):
        return F.relu(x)


net = Net()
net.initialize()
net.hybridize()
net(x)
