# %%
def guarded(trace, read):
    programs = {}

    def fast(x):
        guard = repr(read())
        try:
            program = programs[guard]
        except KeyError:
            program = programs[guard] = trace()
        return program(x)

    return fast
