import d2lhybrid as mx


# %%
def seconds_per_call(net, x, calls, clock):
    net(x)
    mx.nd.waitall()
    start = clock()
    for i in range(calls):
        net(x)
    mx.nd.waitall()
    return (clock() - start) / calls
