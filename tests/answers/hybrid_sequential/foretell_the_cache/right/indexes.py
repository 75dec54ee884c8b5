# %%
def foretell(events):
    a, b = 0, 0
    d = {"call": [], "train": []}
    for i in range(len(events)):
        e = events[i]
        if e[0] == "hybridize":
            d = {"call": [], "train": []}
        else:
            if d["call"] == [] and d["train"] == []:
                a = a + 1
            if e[1] not in d[e[0]]:
                d[e[0]].append(e[1])
                b = b + 1
    return a, b
