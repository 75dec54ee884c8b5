# The checker says: For [('hybridize', None), ('hybridize', None)], the number of runs

# %%
def foretell(events):
    n, p, known = 1, 0, set()
    for kind, shape in events:
        if kind == "hybridize":
            n, known = n + 1, set()
        elif (kind, tuple(shape)) not in known:
            p += 1
            known.add((kind, tuple(shape)))
    return n, p
