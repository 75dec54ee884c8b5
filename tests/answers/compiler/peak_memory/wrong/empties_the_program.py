# %%
def peak(program):
    alive, largest = {}, 0
    while program:
        name, size, _ = program[0]
        alive[name] = size
        largest = max(largest, sum(alive.values()))
        program.pop(0)
        needed = {n for _, _, inputs in program for n in inputs}
        alive = {n: s for n, s in alive.items() if n in needed or not program}
    return largest
