from d2lhybrid import nd
from d2lhybrid.gluon import nn

x = nd.array([[1, 2, 3], [4, 5, 6]])


class Net(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.offsets = self.params.get_constant("offsets", [10, 20, 30])

    def hybrid_forward(self, F, x, offsets):
        return F.broadcast_add(x, offsets)


net = Net()
net.initialize()
net.hybridize()
net(x)
