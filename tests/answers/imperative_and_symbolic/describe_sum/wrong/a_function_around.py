# %%
def describe_sum(numbers):
    return "def main():\n    print(" + " + ".join(str(n) for n in numbers) + ")"
