# The checker says: it is computed from rows

from d2lhybrid.gluon import nn


# %%
class Column(nn.HybridBlock):
    def __init__(self, column, **kwargs):
        super().__init__(**kwargs)
        self.column = column

    def hybrid_forward(self, F, x):
        return F.reshape(F.slice_axis(x, axis=0, begin=0, end=1) - F.slice_axis(x, axis=0, begin=-1, end=None), (-1,))
