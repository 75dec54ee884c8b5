# %%
def merge(program):
    known, names, lines = {}, {}, []
    for name, operator, (left, right) in program:
        left, right = names.get(left, left), names.get(right, right)
        if (operator, left, right) in known:
            names[name] = known[operator, left, right]
            continue
        known[operator, left, right] = name
        lines.append((name, operator, [left, right]))
    return lines
