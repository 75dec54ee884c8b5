from d2lhybrid.gluon import nn


# %%
def DropRows(p):
    return nn.Dropout(rate=p, axes=(1,))
