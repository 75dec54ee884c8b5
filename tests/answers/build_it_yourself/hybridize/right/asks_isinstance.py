# %%
class Array:
    def __init__(self, value):
        self.value = value


def hybridize(function, compiler):
    programs = {}

    def fast(*arrays):
        signature = []
        for a in arrays:
            assert isinstance(a, Array)
            signature.append(a.value.shape)
            signature.append(a.value.dtype)
        signature = tuple(signature)
        if signature not in programs:
            print("compiling for", signature)
            programs[signature] = compiler(function, arrays)
        return programs[signature](*arrays)

    fast.programs = programs
    return fast
