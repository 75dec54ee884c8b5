# %%
def merge(program):
    keys, names, out = {}, {}, []
    for name, operator, inputs in program:
        key = operator.join(names.get(n, n) for n in inputs)
        names[name] = keys.setdefault(key, name)
        if keys[key] == name:
            out.append([name, operator, key.split(operator)])
    return out
