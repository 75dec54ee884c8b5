# The checker says: (4, 3)), ('call', (2, 3))], the number of compiled

# %%
def foretell(events):
    return 1, 1
