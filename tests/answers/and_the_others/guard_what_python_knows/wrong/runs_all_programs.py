# %%
def guarded(trace, read):
    programs = {}

    def fast(x):
        guard = repr(read())
        if guard not in programs:
            programs[guard] = trace()
        return {key: program(x) for key, program in programs.items()}[guard]

    return fast
