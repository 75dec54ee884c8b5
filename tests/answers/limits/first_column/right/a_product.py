from d2lhybrid.gluon import nn


# %%
class Column(nn.HybridBlock):
    def __init__(self, column, **kwargs):
        super().__init__(**kwargs)
        self.column = column

    def hybrid_forward(self, F, x):
        last = F.reshape(F.slice_axis(x, 1, -1, None), (-1,))
        place = F.one_hot(F.ones((1,)) * self.column, 64)
        place = F.slice_like(place, F.slice_axis(x, 0, 0, 1), axes=(1,))
        return F.sum(F.broadcast_mul(x, place), axis=1) - last
