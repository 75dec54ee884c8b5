from d2lhybrid.gluon import nn


# %%
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        rows = F.reshape(F.expand_dims(x, axis=1), (0, -1))
        length = F.sum(F.sign(F.abs(rows) + 1), axis=1, keepdims=True)
        return F.broadcast_div(rows, length)
