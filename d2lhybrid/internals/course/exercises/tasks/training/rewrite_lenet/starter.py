from d2lhybrid.gluon import nn


# %%
class LeNet(nn.HybridBlock):
    def __init__(self, channels, classes, **kwargs):
        super().__init__(**kwargs)

    def hybrid_forward(self, F, x):
        ...
