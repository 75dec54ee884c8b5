# %%
def hybridize(function, compiler):
    programs = {}

    def fast(*arrays):
        first, last = arrays[0].value, arrays[-1].value
        signature = (len(arrays), first.shape, first.dtype, last.shape, last.dtype)
        if signature not in programs:
            programs[signature] = compiler(function, arrays)
        return programs[signature](*arrays)

    return fast
