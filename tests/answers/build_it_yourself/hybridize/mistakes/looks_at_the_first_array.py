# The checker says: In a call with another shape of the second array

# %%
def hybridize(function, compiler):
    programs = {}

    def fast(*arrays):
        signature = (arrays[0].value.shape, arrays[0].value.dtype)
        if signature not in programs:
            programs[signature] = compiler(function, arrays)
        return programs[signature](*arrays)

    return fast
