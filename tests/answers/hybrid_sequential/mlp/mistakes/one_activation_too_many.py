# The checker says: Is there one activation too many?

from d2lhybrid.gluon import nn


# %%
def make_net(widths, classes):
    net = nn.HybridSequential()
    for w in [*widths, classes]:
        net.add(nn.Dense(w, activation="relu"))
    return net
