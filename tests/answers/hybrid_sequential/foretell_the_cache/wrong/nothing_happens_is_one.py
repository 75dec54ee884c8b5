# %%
def foretell(events):
    traces, programs, traced, known = 0, 0, False, set()
    for kind, shape in events:
        if kind == "hybridize":
            traced, known = False, set()
            continue
        traces, traced = traces + (not traced), True
        if (kind, tuple(shape)) not in known:
            programs += 1
            known.add((kind, tuple(shape)))
    return max(traces, 1), max(programs, 1)
