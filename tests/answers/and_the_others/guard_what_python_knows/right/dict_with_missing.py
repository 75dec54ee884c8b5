# %%
def guarded(trace, read):
    class Programs(dict):
        def __missing__(self, guard):
            self[guard] = trace()
            return self[guard]

    programs = Programs()
    return lambda x: programs[str(sorted(read().items()))](x)
