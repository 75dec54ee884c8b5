# %%
def trace(function, symbols):
    result = function(*symbols)

    def nodes(s, found):
        if hasattr(s, "op") and s.op and s not in found:
            for i in s.inputs:
                nodes(i, found)
            found.append(s)
        return found

    order = nodes(result, [])
    label = {s: f"t{k}" for k, s in enumerate(order)}

    def text(i):
        if i in label:
            return label[i]
        return i.name if hasattr(i, "name") else i

    return [[label[s], s.op, [text(i) for i in s.inputs]] for s in order]
