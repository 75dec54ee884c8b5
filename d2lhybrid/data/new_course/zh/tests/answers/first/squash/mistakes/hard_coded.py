# The checker says: 输入不同，输出也应该不同

from d2lhybrid.gluon import nn


# %%
class Squash(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.zeros_like(x)
