from d2lhybrid import nd


# %%
def seconds_per_call(net, x, calls, clock):
    net(x)
    nd.waitall()
    ticks = [clock()]
    for _ in range(calls):
        net(x)
        nd.waitall()
        ticks.append(clock())
    return (ticks[-1] - ticks[0]) / (len(ticks) - 1)
