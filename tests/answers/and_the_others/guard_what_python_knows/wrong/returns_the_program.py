# %%
def guarded(trace, read):
    programs = {}

    def fast(x):
        guard = repr(read())
        if guard not in programs:
            programs[guard] = trace()
        return programs[guard]

    return fast
