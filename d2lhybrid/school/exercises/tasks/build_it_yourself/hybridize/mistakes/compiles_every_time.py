# The checker says: once more for a program that had been made already

# %%
def hybridize(function, compiler):
    def fast(*arrays):
        return compiler(function, arrays)(*arrays)

    return fast
