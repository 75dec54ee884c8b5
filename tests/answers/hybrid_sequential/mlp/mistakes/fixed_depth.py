# The checker says: The net has the wrong number of parameters

from d2lhybrid.gluon import nn


# %%
def make_net(widths, classes):
    net = nn.HybridSequential()
    for w in widths[:0]:
        net.add(nn.Dense(w, activation="relu"))
    net.add(nn.Dense(classes))
    return net
