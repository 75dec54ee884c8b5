import numpy

from d2lhybrid import nd
from d2lhybrid.gluon import nn

net = nn.Dense(2)
net.initialize()
net.hybridize()
x = nd.array(numpy.ones((2, 3)))
net(x)
