# The checker says: In a call of another function

# %%
programs = {}


def hybridize(function, compiler):
    def fast(*arrays):
        signature = tuple((a.value.shape, a.value.dtype) for a in arrays)
        if signature not in programs:
            programs[signature] = compiler(function, arrays)
        return programs[signature](*arrays)

    return fast
