import numpy as np

from d2lhybrid import nd
from d2lhybrid.gluon import nn

x = nd.array([[1, 2, 3], [4, 5, 6]])


class Net(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        h = np.tanh(x)
        return F.relu(h)


net = Net()
net(x)
