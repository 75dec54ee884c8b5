from d2lhybrid.gluon import nn


# %%
class Maxout(nn.HybridBlock):
    def __init__(self, units, pieces, **kwargs):
        super().__init__(**kwargs)
        self.units, self.pieces = units, pieces
        self.linear = nn.Dense(units * pieces)

    def hybrid_forward(self, F, x):
        return F.max(F.reshape(self.linear(x), (0, self.units, -1)), axis=-1)
