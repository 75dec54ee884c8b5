# The checker says: an earlier program was not kept

# %%
def hybridize(function, compiler):
    last = program = None

    def fast(*arrays):
        nonlocal last, program
        signature = tuple((a.value.shape, a.value.dtype) for a in arrays)
        if program is None or signature != last:
            last, program = signature, compiler(function, arrays)
        return program(*arrays)

    return fast
