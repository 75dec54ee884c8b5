# %%
def guarded(trace, read):
    results = {}

    def fast(x):
        guard = repr(read())
        if guard not in results:
            results[guard] = trace()(x)
        return results[guard]

    return fast
