# %%
def merge(program):
    program = [[name, operator, list(inputs)] for name, operator, inputs in program]
    while True:
        seen = {}
        for i, (name, operator, inputs) in enumerate(program):
            key = (operator, tuple(inputs))
            if key in seen:
                del program[i]
                for line in program:
                    line[2] = [seen[key] if n == name else n for n in line[2]]
                break
            seen[key] = name
        else:
            return program
