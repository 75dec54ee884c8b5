# The checker says: not a list of lines but

# %%
def trace(function, symbols):
    return function(*symbols)
