from d2lhybrid.gluon import nn


# %%
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        positive = F.relu(F.sign(F.sum(x)))
        return F.broadcast_mul(x, 3 * positive) - 2 * x
