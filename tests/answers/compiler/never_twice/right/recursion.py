# %%
def merge(program):
    def go(lines, seen, names):
        if not lines:
            return []
        (name, operator, inputs), rest = lines[0], lines[1:]
        key = (operator, *[names.get(n, n) for n in inputs])
        if key in seen:
            return go(rest, seen, {**names, name: seen[key]})
        return [[name, operator, list(key[1:])], *go(rest, {**seen, key: name}, names)]

    return go(program, {}, {})
