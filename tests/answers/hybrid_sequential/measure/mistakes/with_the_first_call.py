# The checker says: which includes a trace and a compilation

from d2lhybrid import nd


# %%
def seconds_per_call(net, x, calls, clock):
    start = clock()
    for _ in range(calls):
        net(x)
    nd.waitall()
    return (clock() - start) / calls
