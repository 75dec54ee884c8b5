# %%
def trace(function, symbols):
    graph = []
    numbers = {}
    memo = {}

    def emit(s):
        if isinstance(s, (int, float)):
            return s
        if s.op is None:
            return s.name
        if id(s) in memo:
            return memo[id(s)]
        args = [emit(x) for x in s.inputs]
        numbers[s.op] = numbers.get(s.op, -1) + 1
        name = s.op + str(numbers[s.op])
        memo[id(s)] = name
        graph.append([name, s.op, args])
        return name

    out = function(*symbols)
    emit(out)
    return graph
