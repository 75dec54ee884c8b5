# %%
import copy


def guarded(trace, read):
    programs = [(copy.deepcopy(read()), trace())]

    def holds(guard, now):
        return [(type(v), v) for v in guard.values()] == [
            (type(v), v) for v in now.values()
        ] and guard.keys() == now.keys()

    def fast(x):
        for guard, program in programs:
            if holds(guard, read()):
                break
        else:
            program = trace()
            programs.append((copy.deepcopy(read()), program))
        return program(x)

    return fast
