# The checker says: each element is chosen by its own value

from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.where(x > 0, x, -2 * x)
