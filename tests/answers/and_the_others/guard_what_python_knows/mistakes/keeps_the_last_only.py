# The checker says: a program that was good for these values is gone

# %%
def guarded(trace, read):
    last = program = None

    def fast(x):
        nonlocal last, program
        values = [(name, type(value), value) for name, value in read().items()]
        if program is None or values != last:
            last, program = values, trace()
        return program(x)

    return fast
