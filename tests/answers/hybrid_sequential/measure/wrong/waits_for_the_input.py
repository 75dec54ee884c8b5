# %%
def seconds_per_call(net, x, calls, clock):
    net(x).wait_to_read()
    start = clock()
    for _ in range(calls):
        net(x)
    x.wait_to_read()
    return (clock() - start) / calls
