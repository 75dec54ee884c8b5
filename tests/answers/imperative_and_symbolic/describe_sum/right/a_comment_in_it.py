# %%
def describe_sum(numbers):
    body = " + ".join(str(number) for number in numbers)
    return f"# a sum of {len(numbers)} numbers\nprint({body})\n"
