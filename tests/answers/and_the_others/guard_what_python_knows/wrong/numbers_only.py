# %%
def guarded(trace, read):
    programs = {}

    def fast(x):
        guard = repr([value for value in read().values() if not isinstance(value, str)])
        if guard not in programs:
            programs[guard] = trace()
        return programs[guard](x)

    return fast
