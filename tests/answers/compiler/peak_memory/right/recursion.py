# %%
def peak(program):
    def alive_at(i):
        needed = {n for _, _, inputs in program[i:] for n in inputs}
        return sum(size for j, (name, size, _) in enumerate(program[: i + 1]) if j == i or name in needed)

    def go(i):
        return 0 if i == len(program) else max(alive_at(i), go(i + 1))

    return go(0)
