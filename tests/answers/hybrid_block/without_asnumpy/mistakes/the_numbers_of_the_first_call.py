# The checker says: Line by line, the output for an array of shape (6,

from d2lhybrid.gluon import nn


# %%
class Normalize(nn.HybridBlock):
    def forward(self, x):
        if not hasattr(self, "m"):
            v = x.asnumpy()
            self.m, self.l = float(v.mean()), float(abs(v).max())
        return super().forward(x)

    def hybrid_forward(self, F, x):
        return (x - self.m) / (self.l + 1)
