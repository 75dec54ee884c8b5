# The checker says: asscalar is not implemented for Symbol

from d2lhybrid.gluon import nn


# %%
class Normalize(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return (x - F.mean(x).asscalar()) / (F.max(F.abs(x)).asscalar() + 1)
