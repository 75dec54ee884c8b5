from d2lhybrid.gluon import nn


# %%
from d2lhybrid import init


def make_net(widths, classes):
    net = nn.HybridSequential()
    with net.name_scope():
        for i in range(len(widths)):
            net.add(nn.Dense(widths[i], activation="relu", weight_initializer=init.Xavier()))
        net.add(nn.Dense(classes))
    net.initialize(init.Normal(0.01))
    net.hybridize()
    return net
