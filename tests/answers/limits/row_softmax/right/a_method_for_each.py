from d2lhybrid.gluon import nn


# %%
class Softmax(nn.HybridBlock):
    def shifted(self, F, x):
        return F.broadcast_sub(x, F.max(x, axis=1, keepdims=True))

    def normalized(self, F, e):
        return F.broadcast_div(e, F.sum(e, axis=1, keepdims=True))

    def hybrid_forward(self, F, x):
        return self.normalized(F, F.exp(self.shifted(F, x)))
