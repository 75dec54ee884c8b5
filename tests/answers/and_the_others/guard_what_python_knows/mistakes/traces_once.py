# The checker says: `read` was not called

# %%
def guarded(trace, read):
    programs = []

    def fast(x):
        if not programs:
            programs.append(trace())
        return programs[0](x)

    return fast
