from d2lhybrid import nd
from d2lhybrid.gluon import nn

x = nd.array([[1, 2, 3], [4, 5, 6]])


def report(block, inputs, output):
    print(type(output).__name__)


net = nn.HybridSequential()
net.add(nn.Dense(2))
net[0].register_forward_hook(report)
net.initialize()
net.hybridize()
net(x)
