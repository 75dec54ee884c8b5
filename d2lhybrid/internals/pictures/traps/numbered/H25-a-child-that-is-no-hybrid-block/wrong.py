from d2lhybrid import nd
from d2lhybrid.gluon import nn

x = nd.array([[1, 2, 3], [4, 5, 6]])


class Plain(nn.Block):
    def forward(self, x):
        return x * 2


net = nn.HybridSequential()
net.add(Plain())
