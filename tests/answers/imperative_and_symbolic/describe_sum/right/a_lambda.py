# %%
describe_sum = lambda numbers: "print(" + " + ".join([str(i) for i in numbers]) + ")"  # noqa: E731
