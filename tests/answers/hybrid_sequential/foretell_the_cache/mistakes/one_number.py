# The checker says: no pair of numbers

# %%
def foretell(events):
    return len(events)
