# The checker says: which column does the index -2 select

from d2lhybrid.gluon import nn


# %%
class Column(nn.HybridBlock):
    def __init__(self, column, **kwargs):
        super().__init__(**kwargs)
        self.column = column

    def hybrid_forward(self, F, x):
        return F.reshape(
            F.slice_axis(x, axis=1, begin=self.column, end=self.column + 1) - F.slice_axis(x, axis=1, begin=-2, end=-1),
            (-1,),
        )
