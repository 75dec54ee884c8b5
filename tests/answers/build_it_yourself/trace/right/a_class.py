# %%
class Tracer:
    def __init__(self):
        self.lines = []
        self.done = {}

    def visit(self, s):
        if not hasattr(s, "inputs"):
            return s
        if s.name:
            return s.name
        key = id(s)
        if key in self.done:
            return self.done[key]
        args = []
        for i in s.inputs:
            args.append(self.visit(i))
        new_name = "v" + str(len(self.lines))
        self.lines.append([new_name, s.op, args])
        self.done[key] = new_name
        return new_name


def trace(function, symbols):
    tracer = Tracer()
    tracer.visit(function(*symbols))
    return tracer.lines
