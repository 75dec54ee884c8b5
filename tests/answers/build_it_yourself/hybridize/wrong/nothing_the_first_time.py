# %%
def hybridize(function, compiler):
    programs = {}

    def fast(*arrays):
        signature = tuple((a.value.shape, a.value.dtype) for a in arrays)
        if signature in programs:
            return programs[signature](*arrays)
        programs[signature] = compiler(function, arrays)

    return fast
