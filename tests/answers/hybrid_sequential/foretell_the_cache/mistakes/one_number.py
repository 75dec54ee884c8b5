# The checker says: the function does not return a pair of numbers

# %%
def foretell(events):
    return len(events)
