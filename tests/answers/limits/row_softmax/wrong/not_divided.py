from d2lhybrid.gluon import nn


# %%
class Softmax(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.exp(F.broadcast_sub(x, F.max(x, axis=1, keepdims=True)))
