from d2lhybrid.gluon import nn


# %%
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        rows = x.flatten()
        return F.broadcast_mul(rows, F.reciprocal(F.sum(rows * 0 + 1, axis=1, keepdims=True)))
