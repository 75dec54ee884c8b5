# The checker says: Hybridized, the output for an array of shape (6,

from d2lhybrid.gluon import nn


# %%
class RunningAverage(nn.HybridBlock):
    def __init__(self, decay, **kwargs):
        super().__init__(**kwargs)
        self.decay = decay

    def hybrid_forward(self, F, x):
        out, average = [], 0
        for row in x:
            average = self.decay * average + (1 - self.decay) * row
            out.append(average)
        return F.stack(*out, axis=0)
