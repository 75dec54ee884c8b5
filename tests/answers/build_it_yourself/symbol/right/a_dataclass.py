# %%
from dataclasses import dataclass, field


@dataclass(eq=False)
class Symbol:
    name: str | None = None
    op: str | None = None
    inputs: list = field(default_factory=list)

    def __add__(self, other):
        return Symbol(op="add", inputs=[self, other])

    def __mul__(self, other):
        return Symbol(op="mul", inputs=[self, other])

    def __matmul__(self, other):
        return Symbol(op="matmul", inputs=[self, other])

    def relu(self):
        return Symbol(op="relu", inputs=[self])
