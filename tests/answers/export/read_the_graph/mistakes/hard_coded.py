# The checker says: For a net with

# %%
def operators_in(file):
    return ["FullyConnected", "Activation"]
