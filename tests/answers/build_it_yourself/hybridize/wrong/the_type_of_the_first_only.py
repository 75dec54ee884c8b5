# %%
def hybridize(function, compiler):
    programs = {}

    def fast(*arrays):
        signature = (arrays[0].value.dtype, tuple(a.value.shape for a in arrays))
        if signature not in programs:
            programs[signature] = compiler(function, arrays)
        return programs[signature](*arrays)

    return fast
