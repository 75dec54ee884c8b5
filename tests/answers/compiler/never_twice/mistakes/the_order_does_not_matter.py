# The checker says: b = y - x; out = a * b: the result computes a different value

# %%
def merge(program):
    seen, name_of, result = {}, {}, []
    for name, operator, inputs in program:
        inputs = [name_of.get(n, n) for n in inputs]
        key = (operator, *sorted(inputs))
        if key in seen:
            name_of[name] = seen[key]
        else:
            seen[key] = name
            result.append([name, operator, inputs])
    return result
