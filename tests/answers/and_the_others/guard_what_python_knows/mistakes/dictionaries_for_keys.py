# The checker says: unhashable type

# %%
def guarded(trace, read):
    programs = {}

    def fast(x):
        values = read()
        if values not in programs:
            programs[values] = trace()
        return programs[values](x)

    return fast
