# %%
def chain(numbers):
    if len(numbers) == 1:
        return str(numbers[0])
    return f"({chain(numbers[:-1])} + {numbers[-1]})"


def describe_sum(numbers):
    return f"print({chain(numbers)})"
