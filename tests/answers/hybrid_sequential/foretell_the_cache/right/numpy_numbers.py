# %%
def foretell(events):
    import numpy

    result = numpy.zeros(2, "int64")
    known = []
    for kind, shape in events:
        if kind == "hybridize":
            known = []
            continue
        if not known:
            result[0] += 1
        if [kind, *shape] not in known:
            known.append([kind, *shape])
            result[1] += 1
    return tuple(int(n) for n in result)
