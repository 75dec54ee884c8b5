from d2lhybrid import nd
from d2lhybrid.gluon import nn

x = nd.array([[1, 2, 3], [4, 5, 6]])


def report(block, inputs, output):
    print(type(output).__name__)


net = nn.HybridSequential()
net.add(nn.Dense(2))
net.initialize()
net.hybridize()
report(net, x, net(x))
