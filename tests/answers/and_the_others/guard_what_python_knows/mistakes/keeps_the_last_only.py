# The checker says: the program for these values was not kept

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
