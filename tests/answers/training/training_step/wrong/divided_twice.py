from d2lhybrid import autograd


# %%
def training_step(net, trainer, loss, x, y):
    with autograd.record():
        mean = loss(net(x), y).mean()
    mean.backward()
    trainer.step(len(x))
    return mean.asscalar()
