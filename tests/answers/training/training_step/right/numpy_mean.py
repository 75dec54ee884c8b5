from d2lhybrid import autograd


# %%
def training_step(net, trainer, loss, x, y):
    with autograd.record():
        values = loss(net(x), y)
    autograd.backward([values])
    trainer.step(y.shape[0])
    return values.asnumpy().mean()
