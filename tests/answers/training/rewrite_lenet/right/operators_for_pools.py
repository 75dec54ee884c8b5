from d2lhybrid.gluon import nn


# %%
class LeNet(nn.HybridBlock):
    def __init__(self, channels, classes, **kwargs):
        super().__init__(**kwargs)
        self.conv1 = nn.Conv2D(channels, kernel_size=3, padding=1)
        self.conv2 = nn.Conv2D(2 * channels, kernel_size=3)
        self.output = nn.Dense(classes)

    def hybrid_forward(self, F, x):
        x = F.Pooling(F.sigmoid(self.conv1(x)), kernel=(2, 2), stride=(2, 2), pool_type="max")
        x = F.Pooling(F.sigmoid(self.conv2(x)), kernel=(2, 2), stride=(2, 2), pool_type="avg")
        return self.output(x)
