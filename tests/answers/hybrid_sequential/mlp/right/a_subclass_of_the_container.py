from d2lhybrid.gluon import nn


# %%
class MLP(nn.HybridSequential):
    def __init__(self, widths, classes, **kwargs):
        super().__init__(**kwargs)
        for width in widths:
            self.add(nn.Dense(width, "relu"))
        self.add(nn.Dense(classes))


def make_net(widths, classes):
    return MLP(widths, classes)
