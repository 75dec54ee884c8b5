# %%
def describe_sum(numbers):
    return "print(" + str(list(numbers)) + ")"
