# %%
def foretell(events):
    traces, programs, traced, known = 0, 0, False, set()
    for kind, shape in events:
        if kind == "hybridize":
            traced, known = False, set()
            continue
        traces, traced = traces + (not traced), True
        size = 1
        for n in shape:
            size *= n
        if (kind, size) not in known:
            programs += 1
            known.add((kind, size))
    return traces, programs
