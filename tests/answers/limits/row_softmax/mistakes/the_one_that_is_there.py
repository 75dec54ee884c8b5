# The checker says: which the task asks you to build

from d2lhybrid.gluon import nn


# %%
class Softmax(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.softmax(x)
