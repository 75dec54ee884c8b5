# %%
def describe_sum(numbers):
    return "print({})".format(" + ".join(f"({n})" for n in numbers))
