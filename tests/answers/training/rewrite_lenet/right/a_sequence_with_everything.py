from d2lhybrid.gluon import nn


# %%
def LeNet(channels, classes):
    net = nn.HybridSequential(prefix="lenet_")
    with net.name_scope():
        net.add(nn.Conv2D(channels=channels, kernel_size=(3, 3), padding=(1, 1)))
        net.add(nn.Activation("sigmoid"))
        net.add(nn.MaxPool2D(pool_size=(2, 2), strides=2))
        net.add(nn.Conv2D(channels=2 * channels, kernel_size=(3, 3)))
        net.add(nn.Activation("sigmoid"))
        net.add(nn.AvgPool2D(pool_size=2, strides=2))
        net.add(nn.Flatten())
        net.add(nn.Dense(classes, flatten=False))
    return net
