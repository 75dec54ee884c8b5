# The checker says: each element is judged by itself

from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.where(x > 0, x, -2 * x)
