from d2lhybrid import autograd, nd


# %%
def training_step(net, trainer, loss, x, y):
    with autograd.record():
        losses = loss(net(x), y)
    result = nd.mean(losses).asscalar()
    losses.backward()
    trainer.step(len(y))
    return result
