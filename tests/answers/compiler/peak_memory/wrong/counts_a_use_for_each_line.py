# %%
def peak(program):
    uses = {}
    for _, _, inputs in program:
        for name in inputs:
            uses[name] = uses.get(name, 0) + 1
    alive, largest = {}, 0
    for name, size, inputs in program:
        alive[name] = size
        largest = max(largest, sum(alive.values()))
        for used in set(inputs):
            uses[used] -= 1
            if uses[used] == 0:
                del alive[used]
    return largest
