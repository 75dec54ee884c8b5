from d2lhybrid.gluon import nn


# %%
class Center(nn.HybridBlock):
    def __init__(self, factor, **kwargs):
        super(Center, self).__init__(**kwargs)
        self._factor = float(factor)

    def hybrid_forward(self, F, x, *args):
        center = x.mean(axis=-1, keepdims=True)
        return F.broadcast_mul(F.broadcast_sub(x, center), F.ones_like(center) * self._factor)


def make_net(hidden, classes, factor):
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(nn.Dense(hidden, activation="relu"))
        net.add(Center(factor))
        net.add(nn.Dense(classes))
    return net
