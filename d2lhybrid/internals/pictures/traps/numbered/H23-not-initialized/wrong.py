from d2lhybrid import nd
from d2lhybrid.gluon import nn

x = nd.array([[1, 2, 3], [4, 5, 6]])

net = nn.Dense(2)
net.hybridize()
net(x)
