# The checker says: 1 is a Center

from d2lhybrid.gluon import nn


# %%
class Center(nn.Block):
    def __init__(self, factor, **kwargs):
        super().__init__(**kwargs)
        self.factor = factor

    def forward(self, x):
        return self.factor * (x - x.mean(axis=1, keepdims=True))


def make_net(hidden, classes, factor):
    net = nn.Sequential()
    net.add(nn.Dense(hidden, activation="relu"), Center(factor), nn.Dense(classes))
    return net
