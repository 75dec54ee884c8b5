# %%
def foretell(events):
    counts = {"runs": 0, "programs": 0}
    cache = {}
    for event, shape in events:
        if event == "hybridize":
            cache = {}
            continue
        if not cache:
            counts["runs"] += 1
        if (event, str(list(shape))) not in cache:
            cache[event, str(list(shape))] = True
            counts["programs"] += 1
    return [counts["runs"], counts["programs"]]
