# %%
def peak(program):
    size_of = {name: size for name, size, _ in program}
    best = 0
    for i, (name, _, _) in enumerate(program):
        alive = {n for n, _, _ in program[:i] if any(n in used for _, _, used in program[i:])} | {name}
        best = max(best, sum(map(size_of.get, alive)))
    return best
