from d2lhybrid.gluon import nn


# %%
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        rows = F.reshape(x, (0, -1))
        length = F.sum(F.ones_like(rows), axis=1, keepdims=True)
        return F.broadcast_div(rows, length)
