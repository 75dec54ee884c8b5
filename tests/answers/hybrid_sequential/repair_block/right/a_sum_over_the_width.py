from d2lhybrid.gluon import nn


# %%
class Center(nn.HybridBlock):
    def __init__(self, hidden, factor, **kwargs):
        super().__init__(**kwargs)
        self.hidden, self.factor = hidden, factor

    def hybrid_forward(self, F, x):
        mean = F.sum(x, axis=1, keepdims=True) / self.hidden
        return self.factor * F.broadcast_sub(x, mean)


def make_net(hidden, classes, factor):
    net = nn.HybridSequential()
    net.add(nn.Dense(hidden, activation="relu"), Center(hidden, factor), nn.Dense(classes))
    return net
