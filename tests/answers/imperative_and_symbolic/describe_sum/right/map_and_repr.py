# %%
def describe_sum(numbers):
    return "print(%s)" % "+".join(map(repr, numbers))
