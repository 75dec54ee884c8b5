# The checker says: it has not changed

from d2lhybrid import autograd


# %%
def training_step(net, trainer, loss, x, y):
    with autograd.record():
        losses = loss(net(x), y)
    losses.backward()
    return losses.mean().asscalar()
