# The checker says: , not a list of lines

# %%
def trace(function, symbols):
    return function(*symbols)
