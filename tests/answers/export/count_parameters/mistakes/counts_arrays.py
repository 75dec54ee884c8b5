# The checker says: not numbers

from d2lhybrid import nd


# %%
def learned_numbers(file):
    return len(nd.load(file))
