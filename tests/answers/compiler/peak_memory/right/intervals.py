# %%
def peak(program):
    begin = {line[0]: i for i, line in enumerate(program)}
    end = dict(begin)
    for i, (_, _, inputs) in enumerate(program):
        for name in inputs:
            end[name] = i
    return max(sum(size for name, size, _ in program if begin[name] <= i <= end[name]) for i in range(len(program)))
