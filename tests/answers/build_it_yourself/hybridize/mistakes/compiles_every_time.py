# The checker says: called again, although it had just compiled a program for these arrays

# %%
def hybridize(function, compiler):
    def fast(*arrays):
        return compiler(function, arrays)(*arrays)

    return fast
