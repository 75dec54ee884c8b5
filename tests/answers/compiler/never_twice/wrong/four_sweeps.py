# %%
def merge(program):
    program = [[name, op, list(inputs)] for name, op, inputs in program]
    for _ in range(4):
        seen, again = {}, {}
        for name, op, inputs in program:
            if (op, *inputs) in seen:
                again[name] = seen[op, *inputs]
            else:
                seen[op, *inputs] = name
        program = [[name, op, [again.get(i, i) for i in inputs]] for name, op, inputs in program if name not in again]
    return program
