# %%
def merge(program):
    seen, name_of, result = {}, {}, []
    for name, operator, inputs in program:
        key = operator, *(name_of[n] if n in name_of else n for n in inputs)
        name_of[name] = seen.setdefault(key, name)
        if name_of[name] == name:
            result.append([name, operator, list(key[1:])])
    return result
