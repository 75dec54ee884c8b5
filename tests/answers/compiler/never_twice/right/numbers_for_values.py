# %%
def merge(program):
    numbers, lines, first = {}, [], {}
    table = {}
    for name, operator, inputs in program:
        for n in inputs:
            numbers.setdefault(n, ("input", n))
            first.setdefault(numbers[n], n)
        value = (operator, *[numbers[n] for n in inputs])
        numbers[name] = table.setdefault(value, value)
        if value not in first:
            first[value] = name
            lines.append([name, operator, [first[numbers[n]] for n in inputs]])
    return lines
