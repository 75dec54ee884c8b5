from d2lhybrid.gluon import nn


# %%
class DropRows(nn.HybridSequential):
    def __init__(self, p, **kwargs):
        super().__init__(**kwargs)
        self.add(nn.Dropout(p, axes=(-1,)) if p < 0 else nn.Dropout(p, axes=(1,)))
