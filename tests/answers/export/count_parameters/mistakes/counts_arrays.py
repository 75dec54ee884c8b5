# The checker says: the number of arrays, not of their elements

from d2lhybrid import nd


# %%
def learned_numbers(file):
    return len(nd.load(file))
