"""``raises``: like ``pytest.raises``, but the message must be equal; notes on the error do not count."""

import contextlib

import pytest


@contextlib.contextmanager
def raises(kind, message):
    with pytest.raises(kind) as caught:
        yield caught
    assert str(caught.value) == message
