from d2lhybrid import nd


# %%
def seconds_per_call(net, x, calls, clock):
    net(x)
    nd.waitall()
    total = 0.0
    for _ in range(calls):
        start = clock()
        net(x)
        nd.waitall()
        total += clock() - start
    return total / calls
