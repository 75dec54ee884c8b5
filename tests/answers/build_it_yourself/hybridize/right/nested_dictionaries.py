# %%
def hybridize(function, compiler):
    by_shape = {}

    def fast(*arrays):
        by_type = by_shape.setdefault(tuple(a.value.shape for a in arrays), {})
        types = tuple(a.value.dtype.name for a in arrays)
        if types not in by_type:
            by_type[types] = compiler(function, arrays)
        return by_type[types](*arrays)

    return fast
