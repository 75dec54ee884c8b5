# The checker says: For [('call', (2, 3)), ('hybridize', None), ('call', (2, 3))], the number of runs

# %%
def foretell(events):
    kinds = {str(e) for e in events if e[0] != "hybridize"}
    return min(1, len(kinds)), len(kinds)
