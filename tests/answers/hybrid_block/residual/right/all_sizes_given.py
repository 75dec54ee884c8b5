from d2lhybrid.gluon import nn


# %%
class Residual(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super(Residual, self).__init__(**kwargs)
        with self.name_scope():
            self.layer = nn.Dense(units, in_units=units, flatten=False)

    def hybrid_forward(self, F, x):
        out = self.layer(x)
        out = F.Activation(out, act_type="relu")
        return F.elemwise_add(out, x)
