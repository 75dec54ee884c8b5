# %%
def describe_sum(numbers):
    return f"print({' + '.join(f'{n}' for n in numbers)})"
