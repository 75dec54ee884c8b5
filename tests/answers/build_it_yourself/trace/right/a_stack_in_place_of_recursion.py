# %%
def trace(function, symbols):
    result = function(*symbols)
    stack, order, seen = [(result, False)], [], set()
    while stack:
        node, ready = stack.pop()
        if ready:
            order.append(node)
            continue
        if id(node) in seen:
            continue
        seen.add(id(node))
        stack.append((node, True))
        for i in node.inputs:
            if hasattr(i, "op") and i.op is not None and id(i) not in seen:
                stack.append((i, False))
    names = {id(s): s.name for s in symbols}
    # the order may hold a node before one that it was found by: sort by what is ready
    graph, waiting = [], [n for n in order if id(n) not in names]
    done = set()
    while waiting:
        for node in list(waiting):
            if all(not hasattr(i, "op") or id(i) in names for i in node.inputs):
                names[id(node)] = f"n{len(graph)}"
                graph.append(
                    [names[id(node)], node.op, [names.get(id(i), i) if hasattr(i, "op") else i for i in node.inputs]]
                )
                waiting.remove(node)
    return graph
