# The checker says: could move into the only line

# %%
def fuse(graph):
    return [list(line) for line in graph]
