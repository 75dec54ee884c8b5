# %%
def guarded(trace, read):
    programs = {}

    def fast(x):
        guard = str(sorted(map(str, read().values())))
        if guard not in programs:
            programs[guard] = trace()
        return programs[guard](x)

    return fast
