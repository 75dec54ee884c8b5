from d2lhybrid.gluon import nn


# %%
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        rows = F.reshape(x, (0, -1))
        sizes = F.shape_array(rows)
        length = F.cast(F.slice_axis(sizes, axis=0, begin=1, end=2), "float32")
        return F.broadcast_div(rows, length)
