# The checker says: which also counts the elements of arrays that are not trained

from d2lhybrid import nd


# %%
def learned_numbers(file):
    return sum(a.size for a in nd.load(file).values())
