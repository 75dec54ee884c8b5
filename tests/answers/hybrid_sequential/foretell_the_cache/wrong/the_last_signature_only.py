# %%
def foretell(events):
    traces, programs, last = 0, 0, None
    for kind, shape in events:
        if kind == "hybridize":
            last = None
            continue
        traces += last is None
        programs += last != (kind, tuple(shape))
        last = (kind, tuple(shape))
    return traces, programs
