# %%
def fuse(graph):
    ew = "add mul relu".split()
    uses = {}
    for n, op, ins in graph:
        for i in ins:
            uses[i] = uses.get(i, ()) + (op,)
    value, out = {}, []
    for n, op, ins in graph:
        e = [op, [value.get(i, i) for i in ins]]
        u = uses.get(n, ())
        if op in ew and len(u) == 1 and u[0] in ew:
            value[n] = e
        else:
            new = f"f{len(out)}"
            out.append([new] + e)
            value[n] = new
    return out
