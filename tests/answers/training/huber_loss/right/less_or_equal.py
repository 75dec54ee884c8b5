from d2lhybrid.gluon import nn


# %%
class Huber(nn.HybridBlock):
    def __init__(self, rho, **kwargs):
        super().__init__(**kwargs)
        self.rho = rho

    def hybrid_forward(self, F, prediction, label):
        e = F.abs(label - prediction)
        losses = F.where(e <= self.rho, F.square(e) / (2 * self.rho), e - self.rho / 2)
        return F.mean(losses, axis=1)
