# The checker says: frees a value that a later line uses

# %%
def peak(program):
    last = {}
    for i, (_, _, inputs) in enumerate(program):
        for used in inputs:
            last.setdefault(used, i)
    last[program[-1][0]] = len(program)
    alive, largest = {}, 0
    for i, (name, size, _) in enumerate(program):
        alive[name] = size
        largest = max(largest, sum(alive.values()))
        alive = {n: s for n, s in alive.items() if last[n] > i}
    return largest
