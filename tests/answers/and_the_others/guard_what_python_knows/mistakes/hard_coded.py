# The checker says: not the program's result for this `x`

# %%
def guarded(trace, read):
    programs = {}

    def fast(x):
        key = tuple((name, type(value), value) for name, value in sorted(read().items()))
        if key not in programs:
            programs[key] = trace()
        programs[key](x)
        return x

    return fast
