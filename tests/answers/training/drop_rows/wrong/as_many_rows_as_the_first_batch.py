from d2lhybrid.gluon import nn


# %%
class DropRows(nn.HybridBlock):
    def __init__(self, p, **kwargs):
        super().__init__(**kwargs)
        self.p = p

    def forward(self, x):
        if not hasattr(x, "list_arguments"):
            self.rows = x.shape[0]
        return super().forward(x)

    def hybrid_forward(self, F, x):
        mask = F.Dropout(F.ones((self.rows, 1)), p=self.p)
        return F.broadcast_mul(x, mask)
