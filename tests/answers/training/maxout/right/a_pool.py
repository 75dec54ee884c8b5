from d2lhybrid.gluon import nn


# %%
class Maxout(nn.HybridBlock):
    def __init__(self, units, pieces, **kwargs):
        super().__init__(**kwargs)
        self.dense = nn.Dense(units * pieces)
        self.pool = nn.MaxPool1D(pieces, pieces)

    def hybrid_forward(self, F, x):
        return F.squeeze(self.pool(F.expand_dims(self.dense(x), axis=1)), axis=1)
