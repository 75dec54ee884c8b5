# %%
def guarded(trace, read):
    programs = {}

    def fast(x):
        guard = repr(read()["scale"])
        if guard not in programs:
            programs[guard] = trace()
        return programs[guard](x)

    return fast
