"""The net of the pictures: it prints, it has a number of its own, and it is small enough to be seen whole."""
# ruff: noqa: D101, D102  its lines are seen

from d2lhybrid.gluon import nn


class Net(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.hidden = nn.Dense(4)
            self.output = nn.Dense(2)
        self.scale = 10

    def hybrid_forward(self, F, x):
        print("x is", x)
        h = F.relu(self.hidden(x))
        h = h * self.scale
        return self.output(h)
