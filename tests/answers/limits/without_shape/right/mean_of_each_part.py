from d2lhybrid.gluon import nn


# %%
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        rows = F.reshape(x, (0, -1))
        ones = F.ones_like(rows)
        return rows / F.broadcast_like(F.sum(ones, axis=1, keepdims=True), ones)
