from d2lhybrid.gluon import nn


# %%
class RunningAverage(nn.HybridBlock):
    def __init__(self, decay, **kwargs):
        super().__init__(**kwargs)
        self.decay = decay

    def hybrid_forward(self, F, x):
        def step(row, states):
            average, weight = states
            average = self.decay * average + (1 - self.decay) * row
            weight = self.decay * weight + (1 - self.decay)
            return average / weight, [average, weight]

        zeros = F.zeros_like(F.sum(x, axis=0))
        averages, _ = F.contrib.foreach(step, x, [zeros, zeros])
        return averages
