# The checker says: ('train', (2, 3)), ('call', (2, 3))], the number of compiled programs

# %%
def foretell(events):
    shapes = {str(e[1]) for e in events if e[0] != "hybridize"}
    return min(1, len(shapes)), len(shapes)
