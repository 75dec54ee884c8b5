# %%
def foretell(events):
    runs = programs = 0
    seen = set()
    fresh = True
    for kind, shape in events:
        if kind == "hybridize":
            seen.clear()
            fresh = True
        else:
            runs += fresh
            fresh = False
            key = (kind, *shape)
            programs += key not in seen
            seen.add(key)
    return runs, programs
