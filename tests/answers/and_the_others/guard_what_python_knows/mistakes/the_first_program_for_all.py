# The checker says: the program that ran was traced for other values

# %%
def guarded(trace, read):
    programs = {}

    def fast(x):
        key = tuple((name, type(value), value) for name, value in sorted(read().items()))
        if key not in programs:
            programs[key] = trace()
        return next(iter(programs.values()))(x)

    return fast
