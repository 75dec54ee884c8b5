from d2lhybrid.gluon import nn


# %%
class RunningAverage(nn.HybridBlock):
    def __init__(self, decay, **kwargs):
        super().__init__(**kwargs)
        self.decay = decay

    def hybrid_forward(self, F, x):
        def step(row, average):
            average = self.decay * average + (1 - self.decay) * row
            return average, average

        averages, _ = F.contrib.foreach(step, F.reverse(x, axis=0), F.zeros_like(F.sum(x, axis=0)))
        return F.reverse(averages, axis=0)
