# %%
def foretell(events):
    pieces = [[]]
    for event in events:
        if event[0] == "hybridize":
            pieces.append([])
        else:
            pieces[-1].append((event[0], tuple(event[1])))
    return sum(1 for piece in pieces if piece), sum(len(set(piece)) for piece in pieces)
