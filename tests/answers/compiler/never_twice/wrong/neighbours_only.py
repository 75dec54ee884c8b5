# %%
def merge(program):
    seen, name_of, result = None, {}, []
    for name, operator, inputs in program:
        inputs = [name_of.get(n, n) for n in inputs]
        if result and result[-1][1:] == [operator, inputs]:
            name_of[name] = result[-1][0]
        else:
            result.append([name, operator, inputs])
    return result
