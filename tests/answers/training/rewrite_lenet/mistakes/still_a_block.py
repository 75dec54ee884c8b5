# The checker says: the net itself is a LeNet

from d2lhybrid import nd
from d2lhybrid.gluon import nn


# %%
class LeNet(nn.Block):
    def __init__(self, channels, classes, **kwargs):
        super().__init__(**kwargs)
        self.conv1 = nn.Conv2D(channels, kernel_size=3, padding=1)
        self.conv2 = nn.Conv2D(2 * channels, kernel_size=3)
        self.pool1 = nn.MaxPool2D(pool_size=2)
        self.pool2 = nn.AvgPool2D(pool_size=2)
        self.output = nn.Dense(classes)

    def forward(self, x):
        x = self.pool1(nd.sigmoid(self.conv1(x)))
        x = self.pool2(nd.sigmoid(self.conv2(x)))
        return self.output(nd.reshape(x, (0, -1)))
