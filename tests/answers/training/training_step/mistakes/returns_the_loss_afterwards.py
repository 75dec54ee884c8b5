# The checker says: the returned value has the right shape

from d2lhybrid import autograd


# %%
def training_step(net, trainer, loss, x, y):
    with autograd.record():
        losses = loss(net(x), y)
    losses.backward()
    trainer.step(len(x))
    return loss(net(x), y).mean().asscalar()
