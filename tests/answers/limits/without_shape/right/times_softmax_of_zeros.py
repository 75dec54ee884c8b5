from d2lhybrid.gluon import nn


# %%
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        rows = F.reshape(x, (0, -1))
        return rows * F.softmax(F.zeros_like(rows), axis=1)
