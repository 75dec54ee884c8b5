from d2lhybrid.gluon import nn


# %%
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        rows = x.reshape((0, -1))
        return F.broadcast_div(rows, rows.ones_like().sum(axis=1, keepdims=True))
