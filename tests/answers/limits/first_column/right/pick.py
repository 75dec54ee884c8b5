from d2lhybrid.gluon import nn


# %%
class Column(nn.HybridBlock):
    def __init__(self, column, **kwargs):
        super().__init__(**kwargs)
        self.column = column

    def hybrid_forward(self, F, x):
        column = F.pick(x, F.ones_like(F.sum(x, axis=1)) * self.column, axis=1)
        last = F.slice_axis(x, axis=1, begin=-1, end=None)
        return column - F.reshape(last, (-1,))
