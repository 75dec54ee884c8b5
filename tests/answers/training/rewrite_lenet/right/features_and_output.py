from d2lhybrid.gluon import nn


# %%
class LeNet(nn.HybridBlock):
    def __init__(self, channels, classes, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential()
            self.features.add(nn.Conv2D(channels, 3, padding=1), nn.HybridLambda("sigmoid"), nn.MaxPool2D(2))
            self.features.add(nn.Conv2D(2 * channels, 3), nn.HybridLambda("sigmoid"), nn.AvgPool2D(2))
            self.output = nn.Dense(classes)

    def hybrid_forward(self, F, x):
        return self.output(self.features(x))
