import numpy

from d2lhybrid.gluon import nn

net = nn.Dense(2)
net.initialize()
net.hybridize()
net(numpy.ones((2, 3)))
