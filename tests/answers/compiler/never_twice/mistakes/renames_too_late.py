# The checker says: out = c + d: the result has 4 lines

# %%
def merge(program):
    seen, name_of, result = {}, {}, []
    for name, operator, inputs in program:
        key = (operator, *inputs)
        if key in seen:
            name_of[name] = seen[key]
        else:
            seen[key] = name
            result.append([name, operator, [name_of.get(n, n) for n in inputs]])
    return result
