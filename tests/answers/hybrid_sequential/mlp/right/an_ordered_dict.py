from d2lhybrid.gluon import nn


# %%
def make_net(widths, classes):
    layers = {f"hidden{i}": nn.Dense(w, activation="relu") for i, w in enumerate(widths)}
    layers["output"] = nn.Dense(classes)
    net = nn.HybridSequential()
    for layer in layers.values():
        net.add(layer)
    return net
