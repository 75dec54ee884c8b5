# %%
def guarded(trace, read):
    guard = repr(read())
    programs = {}

    def fast(x):
        if guard not in programs:
            programs[guard] = trace()
        return programs[guard](x)

    return fast
