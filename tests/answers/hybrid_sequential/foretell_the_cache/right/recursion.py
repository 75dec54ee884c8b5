# %%
def foretell(events):
    def go(events, traced, known):
        if not events:
            return 0, 0
        (kind, shape), rest = events[0], events[1:]
        if kind == "hybridize":
            return go(rest, False, frozenset())
        signature = (kind, tuple(shape))
        traces, programs = go(rest, True, known | {signature})
        return traces + (not traced), programs + (signature not in known)

    return go(events, False, frozenset())
