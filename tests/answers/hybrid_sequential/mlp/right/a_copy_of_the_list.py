from d2lhybrid.gluon import nn


# %%
def make_net(widths, classes):
    sizes = list(widths)
    sizes.append(None)
    net = nn.HybridSequential()
    while sizes[0] is not None:
        net.add(nn.Dense(sizes.pop(0), activation="relu"))
    net.add(nn.Dense(classes))
    return net
