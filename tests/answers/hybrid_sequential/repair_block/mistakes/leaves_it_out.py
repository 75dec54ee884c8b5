# The checker says: has the right shape, but wrong values

from d2lhybrid.gluon import nn


# %%
def make_net(hidden, classes, factor):
    net = nn.HybridSequential()
    net.add(nn.Dense(hidden, activation="relu"), nn.Dense(classes))
    return net
