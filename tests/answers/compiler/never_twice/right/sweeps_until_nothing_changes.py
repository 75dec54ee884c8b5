# %%
def merge(program):
    program = [[name, op, list(inputs)] for name, op, inputs in program]
    while True:
        seen, again = {}, {}
        for name, op, inputs in program:
            if (op, *inputs) in seen:
                again[name] = seen[op, *inputs]
            else:
                seen[op, *inputs] = name
        if not again:
            return program
        program = [[name, op, [again.get(i, i) for i in inputs]] for name, op, inputs in program if name not in again]
