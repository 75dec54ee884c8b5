# The checker says: Is a `return` missing?

from d2lhybrid.gluon import nn


# %%
def make_net(widths, classes):
    net = nn.HybridSequential()
    net.add(nn.Dense(classes))
