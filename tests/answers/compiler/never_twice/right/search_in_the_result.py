# %%
def merge(program):
    result, same = [], {}
    for name, operator, inputs in program:
        inputs = [same.get(n, n) for n in inputs]
        for other, its_operator, its_inputs in result:
            if its_operator == operator and its_inputs == inputs:
                same[name] = other
                break
        else:
            result.append([name, operator, inputs])
    return result
