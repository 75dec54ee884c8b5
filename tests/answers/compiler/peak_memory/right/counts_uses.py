# %%
from collections import Counter


def peak(program):
    uses = Counter(name for _, _, inputs in program for name in inputs)
    alive, largest = {}, 0
    for name, size, inputs in program:
        alive[name] = size
        largest = max(largest, sum(alive.values()))
        for used in inputs:
            uses[used] -= 1
            if not uses[used]:
                del alive[used]
    return largest
