# %%
class Merger:
    def __init__(self):
        self.lines = []
        self.alias = {}

    def name(self, value):
        while value in self.alias:
            value = self.alias[value]
        return value

    def add(self, name, operator, inputs):
        line = [operator, [self.name(n) for n in inputs]]
        for known in self.lines:
            if known[1:] == line:
                self.alias[name] = known[0]
                return
        self.lines.append([name, *line])


def merge(program):
    merger = Merger()
    for line in program:
        merger.add(*line)
    return merger.lines
