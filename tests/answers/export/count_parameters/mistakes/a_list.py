# The checker says: not return a number

from d2lhybrid import nd


# %%
def learned_numbers(file):
    return list(nd.load(file))
