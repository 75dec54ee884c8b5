# %%
class hybridize:
    def __init__(self, function, compiler):
        self.make = lambda arrays: compiler(function, arrays)
        self.programs = {}

    def __call__(self, *arrays):
        s = repr([(a.value.shape, a.value.dtype.name) for a in arrays])
        if s in self.programs:
            return self.programs[s](*arrays)
        self.programs[s] = self.make(arrays)
        return self.programs[s](*arrays)
