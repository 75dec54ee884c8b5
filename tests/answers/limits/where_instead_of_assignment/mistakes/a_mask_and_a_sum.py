# The checker says: still contain the old values

from d2lhybrid.gluon import nn


# %%
class Replace(nn.HybridBlock):
    def __init__(self, limit, value, **kwargs):
        super().__init__(**kwargs)
        self.limit, self.value = limit, value

    def hybrid_forward(self, F, x):
        small = x < self.limit
        return x + small * self.value
