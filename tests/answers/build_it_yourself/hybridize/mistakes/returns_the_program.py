# The checker says: not the program's result, but a function

# %%
def hybridize(function, compiler):
    programs = {}

    def fast(*arrays):
        signature = tuple((a.value.shape, a.value.dtype) for a in arrays)
        if signature not in programs:
            programs[signature] = compiler(function, arrays)
        return programs[signature]

    return fast
