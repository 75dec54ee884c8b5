from d2lhybrid import autograd


# %%
def training_step(net, trainer, loss, x, y):
    with autograd.record():
        output = net(x)
        losses = loss(output, y)
        losses.backward()
    trainer.step(batch_size=x.shape[0])
    return float(losses.mean().asscalar())
