from d2lhybrid import nd


# %%
def learned_numbers(file):
    import math

    return sum(len(a.reshape(-1)) for n, a in nd.load(file).items() if n.startswith("arg:")) * math.prod(())
