from d2lhybrid.gluon import nn


class Net(nn.HybridBlock):
    def __init__(self):
        self.hidden = nn.Dense(2)


net = Net()
