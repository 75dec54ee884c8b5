# The checker says: traced for another type

# %%
def guarded(trace, read):
    programs = {}

    def fast(x):
        key = tuple(sorted(read().items()))
        if key not in programs:
            programs[key] = trace()
        return programs[key](x)

    return fast
