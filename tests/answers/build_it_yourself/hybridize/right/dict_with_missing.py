# %%
class Programs(dict):
    def __init__(self, make):
        self.make = make

    def get_or_make(self, key, arrays):
        if key not in self:
            self[key] = self.make(arrays)
        return self[key]


def key_of(array):
    v = array.value
    return v.dtype.char, v.ndim, *v.shape


def hybridize(function, compiler):
    programs = Programs(lambda arrays: compiler(function, arrays))
    return lambda *arrays: programs.get_or_make(tuple(map(key_of, arrays)), arrays)(*arrays)
