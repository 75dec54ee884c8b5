# The checker says: no list of lines but

# %%
def trace(function, symbols):
    return function(*symbols)
