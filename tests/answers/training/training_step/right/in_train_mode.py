from d2lhybrid import autograd


# %%
def training_step(net, trainer, loss, x, y):
    with autograd.record(train_mode=True), autograd.train_mode():
        prediction = net(x)
        losses = loss(prediction, y)
        total = losses.sum()
    total.backward()
    trainer.step(len(x))
    return sum(float(v) for v in losses.asnumpy()) / len(x)
