from d2lhybrid.gluon import nn


# %%
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        rows = F.flatten(x)
        if not hasattr(self, "length"):
            self.length = 12
        return rows / self.length
