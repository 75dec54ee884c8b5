# The checker says: exactly the other elements are replaced

from d2lhybrid.gluon import nn


# %%
class Replace(nn.HybridBlock):
    def __init__(self, limit, value, **kwargs):
        super().__init__(**kwargs)
        self.limit, self.value = limit, value

    def hybrid_forward(self, F, x):
        return F.where(x < self.limit, x, F.ones_like(x) * self.value)
