# The checker says: asscalar is not implemented

from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        if x.sum().asscalar() > 0:
            return x
        return -2 * x
