from d2lhybrid import nd


# %%
def seconds_per_call(net, x, calls, clock):
    net.hybridize()
    net(x).wait_to_read()
    nd.waitall()
    before = clock()
    for _ in range(calls):
        net(x)
    nd.waitall()
    after = clock()
    return (after - before) / calls
