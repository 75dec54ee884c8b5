# The checker says: For [('call', (2, 3)), ('call', (2, 3)), ('call', (2, 3))], the number of runs

# %%
def foretell(events):
    calls = [e for e in events if e[0] != "hybridize"]
    return len(calls), len({str(e) for e in calls})
