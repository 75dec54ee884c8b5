# %%
def merge(program):
    seen, name_of, i = {}, {}, 0
    while i < len(program):
        name, op, inputs = program[i]
        for k, used in enumerate(inputs):
            inputs[k] = name_of.get(used, used)
        key = (op, *inputs)
        if key in seen:
            name_of[name] = seen[key]
            del program[i]
        else:
            seen[key] = name
            i += 1
    return program
