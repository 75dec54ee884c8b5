# %%
def guarded(trace, read):
    programs = {}

    def fast(x):
        guard = repr(read())
        if guard not in programs:
            if len(programs) == 2:
                programs.clear()
            programs[guard] = trace()
        return programs[guard](x)

    return fast
