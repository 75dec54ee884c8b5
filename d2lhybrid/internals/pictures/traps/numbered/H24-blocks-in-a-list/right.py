from d2lhybrid import nd
from d2lhybrid.gluon import nn

x = nd.array([[1, 2, 3], [4, 5, 6]])


class Net(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.layers = nn.HybridSequential()
        self.layers.add(nn.Dense(2), nn.Dense(2))

    def hybrid_forward(self, F, x):
        return self.layers(x)


net = Net()
net.initialize()
net.hybridize()
net(x)
