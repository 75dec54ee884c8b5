# The checker says: a trace and a compilation in it

# %%
def seconds_per_call(net, x, calls, clock):
    start = clock()
    for _ in range(calls):
        net(x)
    return (clock() - start) / calls
