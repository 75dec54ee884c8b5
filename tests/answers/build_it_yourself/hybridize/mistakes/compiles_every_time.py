# The checker says: once more for the program that it had just made

# %%
def hybridize(function, compiler):
    def fast(*arrays):
        return compiler(function, arrays)(*arrays)

    return fast
