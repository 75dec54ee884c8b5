from d2lhybrid import autograd


# %%
def training_step(net, trainer, loss, x, y):
    batch = len(x)
    with autograd.record():
        losses = loss(net(x), y)
    losses.backward()
    trainer.step(batch)
    return losses.sum() / batch
