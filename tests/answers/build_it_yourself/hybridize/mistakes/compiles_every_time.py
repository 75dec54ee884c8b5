# The checker says: called again for the program that it had just compiled

# %%
def hybridize(function, compiler):
    def fast(*arrays):
        return compiler(function, arrays)(*arrays)

    return fast
