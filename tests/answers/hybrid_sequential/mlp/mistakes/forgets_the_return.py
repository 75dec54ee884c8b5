# The checker says: gives no net but a NoneType

from d2lhybrid.gluon import nn


# %%
def make_net(widths, classes):
    net = nn.HybridSequential()
    net.add(nn.Dense(classes))
