# The checker says: For [('call', (2, 3)), ('call', (4, 3)), ('call', (2, 3))], the number of runs

# %%
def foretell(events):
    kinds = {str(e) for e in events if e[0] != "hybridize"}
    return len(kinds), len(kinds)
