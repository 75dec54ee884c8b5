# The checker says: the steps are as large as for a batch of one example

from d2lhybrid import autograd


# %%
def training_step(net, trainer, loss, x, y):
    with autograd.record():
        losses = loss(net(x), y)
    losses.backward()
    trainer.step(1)
    return losses.mean().asscalar()
