# %%
def peak(program):
    last = {}
    for i, (name, _, inputs) in enumerate(program):
        last[name] = i
        for n in inputs:
            last[n] = i
    return float(max(sum(s for n, s, _ in program[: i + 1] if last[n] >= i) for i in range(len(program))))
