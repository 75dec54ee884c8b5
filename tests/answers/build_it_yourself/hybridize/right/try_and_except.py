# %%
def hybridize(function, compiler):
    programs = dict()

    def fast(*arrays):
        shapes = tuple(a.value.shape for a in arrays)
        types = tuple(a.value.dtype for a in arrays)
        try:
            program = programs[shapes, types]
        except KeyError:
            program = programs[shapes, types] = compiler(function, arrays)
        return program(*arrays)

    return fast
