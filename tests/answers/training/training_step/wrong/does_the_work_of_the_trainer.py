from d2lhybrid import autograd


# %%
def training_step(net, trainer, loss, x, y):
    with autograd.record():
        losses = loss(net(x), y)
    losses.backward()
    for parameter in net.collect_params().values():
        parameter.set_data(parameter.data() - trainer.learning_rate * parameter.grad() / len(x))
    return losses.mean().asscalar()
