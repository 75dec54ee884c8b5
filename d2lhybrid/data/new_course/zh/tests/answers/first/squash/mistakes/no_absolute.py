# The checker says: 小于零

from d2lhybrid.gluon import nn


# %%
class Squash(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x / (1 + x)
