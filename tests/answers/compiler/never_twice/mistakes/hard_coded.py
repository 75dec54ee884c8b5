# The checker says: computes something else

# %%
def merge(program):
    return [["out", "+", ["x", "y"]]]
