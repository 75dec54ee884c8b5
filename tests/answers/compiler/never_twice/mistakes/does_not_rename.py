# The checker says: which no earlier line defines

# %%
def merge(program):
    seen, name_of, result = {}, {}, []
    for name, operator, inputs in program:
        key = (operator, *inputs)
        if key in seen:
            name_of[name] = seen[key]
        else:
            seen[key] = name
            result.append([name, operator, inputs])
    return result
