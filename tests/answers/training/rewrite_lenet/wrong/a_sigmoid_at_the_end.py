from d2lhybrid.gluon import nn


# %%
def LeNet(channels, classes):
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(channels, kernel_size=3, padding=1, activation="sigmoid"),
        nn.MaxPool2D(pool_size=2),
        nn.Conv2D(2 * channels, kernel_size=3, activation="sigmoid"),
        nn.AvgPool2D(pool_size=2),
        nn.Dense(classes, activation="sigmoid"),
    )
    return net
