# The checker says: Arrays broadcast here

from d2lhybrid.gluon import nn


# %%
class Normalize(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return (x - F.mean(x)) / (F.max(F.abs(x)) + 1)
