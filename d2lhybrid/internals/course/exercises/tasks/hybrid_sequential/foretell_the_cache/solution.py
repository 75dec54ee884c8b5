# %%
def foretell(events):
    traces, programs = 0, 0
    traced, known = False, set()
    for kind, shape in events:
        if kind == "hybridize":
            traced, known = False, set()
            continue
        if not traced:
            traces, traced = traces + 1, True
        signature = (kind, tuple(shape))
        if signature not in known:
            programs += 1
            known.add(signature)
    return traces, programs
