from d2lhybrid import autograd


# %%
def training_step(net, trainer, loss, x, y):
    batch_size = x.shape[0]
    with autograd.record():
        l = loss(net(x), y)  # noqa: E741
    l.backward()
    trainer.step(batch_size, ignore_stale_grad=False)
    return float(l.mean().asnumpy()[0])
