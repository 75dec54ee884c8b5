# The checker says: Did you store the dictionary instead of a copy?

# %%
def guarded(trace, read):
    programs = []

    def fast(x):
        for values, program in programs:
            if values == read():
                return program(x)
        programs.append((read(), trace()))
        return programs[-1][1](x)

    return fast
