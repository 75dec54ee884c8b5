# %%
def peak(program):
    import numpy

    names = [line[0] for line in program]
    table = numpy.zeros((len(program), len(program)), "int64")
    for i, (name, size, _) in enumerate(program):
        last = max([j for j, line in enumerate(program) if name in line[2]], default=i)
        table[i, i : last + 1] = size
    assert len(names) == len(table)
    return int(table.sum(axis=0).max())
