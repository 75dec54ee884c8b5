from d2lhybrid import nd


# %%
def timed(function, clock):
    nd.waitall()
    start = clock()
    function()
    nd.waitall()
    return clock() - start


def seconds_per_call(net, x, calls, clock):
    timed(lambda: net(x), clock)

    def many():
        for _ in range(calls):
            net(x)

    return timed(many, clock) / calls
