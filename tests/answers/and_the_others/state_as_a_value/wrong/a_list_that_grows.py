# %%
seen = []


def average(total, count, x):
    seen.append(x)
    return total + x, count + 1, sum(seen) / len(seen)
