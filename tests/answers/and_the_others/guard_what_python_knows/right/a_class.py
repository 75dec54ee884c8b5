# %%
class Fast:
    def __init__(self, trace, read):
        self.trace, self.read, self.programs = trace, read, {}

    def guard(self):
        return frozenset((name, type(value).__name__, value) for name, value in self.read().items())

    def __call__(self, x):
        return self.programs.setdefault(self.guard(), None) or self.compile()(x)

    def compile(self):
        program = self.programs[self.guard()] = self.trace()
        return program


def guarded(trace, read):
    fast = Fast(trace, read)

    def call(x):
        program = fast.programs.get(fast.guard()) or fast.compile()
        return program(x)

    return call
