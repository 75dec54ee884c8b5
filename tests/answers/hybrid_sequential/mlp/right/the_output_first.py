from d2lhybrid.gluon import nn


# %%
def make_net(widths, classes):
    output = nn.Dense(classes)
    net = nn.HybridSequential()
    for width in widths:
        net.add(nn.Dense(width, activation="relu"))
    net.add(output)
    return net
