# The checker says: no attribute 'shape'

from d2lhybrid.gluon import nn


# %%
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        rows = x.reshape((x.shape[0], -1))
        return rows / rows.shape[1]
