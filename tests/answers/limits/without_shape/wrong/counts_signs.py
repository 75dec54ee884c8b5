from d2lhybrid.gluon import nn


# %%
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        rows = F.reshape(x, (0, -1))
        return F.broadcast_div(rows, F.sum(F.sign(rows), axis=1, keepdims=True))
