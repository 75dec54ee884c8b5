# %%
average = lambda total, count, x: (total + x, count + 1, (total + x) * (count + 1) ** -1)  # noqa: E731
