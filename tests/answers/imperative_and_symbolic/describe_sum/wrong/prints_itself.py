# %%
def describe_sum(numbers):
    print(" + ".join(str(n) for n in numbers))
