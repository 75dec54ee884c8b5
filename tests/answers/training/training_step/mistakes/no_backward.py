# The checker says: not been updated by backward

from d2lhybrid import autograd


# %%
def training_step(net, trainer, loss, x, y):
    with autograd.record():
        losses = loss(net(x), y)
    trainer.step(len(x))
    return losses.mean().asscalar()
