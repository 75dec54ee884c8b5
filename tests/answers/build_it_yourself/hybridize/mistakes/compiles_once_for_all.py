# The checker says: In a call with more rows

# %%
def hybridize(function, compiler):
    programs = []

    def fast(*arrays):
        if not programs:
            programs.append(compiler(function, arrays))
        return programs[0](*arrays)

    return fast
