# The checker says: The net of the task has no parameter of shape

from d2lhybrid.gluon import nn


# %%
class Maxout(nn.HybridBlock):
    def __init__(self, units, pieces, **kwargs):
        super().__init__(**kwargs)
        self.layers = nn.Dense(units)

    def hybrid_forward(self, F, x):
        return F.maximum(self.layers(x), 0)
