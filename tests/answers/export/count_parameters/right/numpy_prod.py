from d2lhybrid import nd


# %%
def learned_numbers(file):
    import numpy

    arrays = nd.load(file)
    return int(sum(numpy.prod(arrays[name].shape) for name in arrays if name[:4] == "arg:"))
