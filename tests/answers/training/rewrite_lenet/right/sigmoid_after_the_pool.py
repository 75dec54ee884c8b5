from d2lhybrid.gluon import nn


# %%
class LeNet(nn.HybridBlock):
    def __init__(self, channels, classes, **kwargs):
        super().__init__(**kwargs)
        self.conv1 = nn.Conv2D(channels, kernel_size=3, padding=1)
        self.conv2 = nn.Conv2D(2 * channels, kernel_size=3)
        self.pool1 = nn.MaxPool2D()
        self.pool2 = nn.AvgPool2D()
        self.output = nn.Dense(classes)

    def hybrid_forward(self, F, x):
        x = self.pool1(self.conv1(x)).sigmoid()  # sigmoid rises: the largest stays the largest
        x = self.pool2(F.sigmoid(self.conv2(x)))
        return self.output(F.Flatten(x))
