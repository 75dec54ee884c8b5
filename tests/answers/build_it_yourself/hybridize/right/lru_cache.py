# %%
import functools


def hybridize(function, compiler):
    current = []

    @functools.lru_cache(maxsize=None)
    def program(signature):
        return compiler(function, current[-1])

    def fast(*arrays):
        current.append(arrays)
        return program(tuple((a.value.shape, a.value.dtype.str) for a in arrays))(*arrays)

    return fast
