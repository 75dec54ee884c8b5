# %%
class Memory:
    def __init__(self):
        self.sizes = {}
        self.high = 0

    def put(self, name, size):
        self.sizes[name] = size
        self.high = max(self.high, sum(self.sizes.values()))

    def free(self, name):
        self.sizes.pop(name, None)


def peak(program):
    memory = Memory()
    for i, (name, size, inputs) in enumerate(program):
        memory.put(name, size)
        later = {n for _, _, used in program[i + 1 :] for n in used}
        for value in list(memory.sizes):
            if value not in later and value != name:
                memory.free(value)
        if name not in later:
            memory.free(name)
    return memory.high
