# %%
def hybridize(function, compiler):
    known = []

    def fits(signature, arrays):
        return len(signature) == len(arrays) and all(
            s == a.value.shape and d == a.value.dtype for (s, d), a in zip(signature, arrays)
        )

    def fast(*arrays):
        for signature, program in known:
            if fits(signature, arrays):
                return program(*arrays)
        known.append(([(a.value.shape, a.value.dtype) for a in arrays], compiler(function, arrays)))
        return known[-1][1](*arrays)

    return fast
