from d2lhybrid.gluon import nn


# %%
def make_net(widths, classes):
    widths.append(classes)
    net = nn.HybridSequential()
    for width in widths[:-1]:
        net.add(nn.Dense(width, activation="relu"))
    net.add(nn.Dense(widths[-1]))
    return net
