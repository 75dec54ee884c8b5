# %%
def merge(program):
    seen, name_of, result = {}, {}, []
    for name, operator, inputs in program:
        inputs = [name_of.get(n, n) for n in inputs]
        if tuple(inputs) in seen:
            name_of[name] = seen[tuple(inputs)]
        else:
            seen[tuple(inputs)] = name
            result.append([name, operator, inputs])
    return result
