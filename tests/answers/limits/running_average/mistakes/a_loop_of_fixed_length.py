# The checker says: an array of shape (3,

from d2lhybrid.gluon import nn


# %%
class RunningAverage(nn.HybridBlock):
    def __init__(self, decay, **kwargs):
        super().__init__(**kwargs)
        self.decay = decay

    def hybrid_forward(self, F, x):
        rows = F.split(x, num_outputs=6, axis=0, squeeze_axis=True)
        out, average = [], 0
        for i in range(6):
            average = self.decay * average + (1 - self.decay) * rows[i]
            out.append(average)
        return F.stack(*out, axis=0)
