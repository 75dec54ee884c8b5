# %%
def guarded(trace, read):
    programs = []

    def same(a, b):
        return a == b and all(type(a[name]) is type(b[name]) for name in a)

    def fast(x):
        now = read()
        for values, program in programs:
            if same(values, now):
                return program(x)
        programs.append((dict(now), trace()))
        return programs[-1][1](x)

    return fast
