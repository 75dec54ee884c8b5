from d2lhybrid import nd
from d2lhybrid.gluon import nn

net = nn.Dense(2)
net.initialize()
net.hybridize()
net(nd.ones((2, 3)))
x = nd.ones((5, 3))
net(x)
