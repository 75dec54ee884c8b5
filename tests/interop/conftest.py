"""The script runs in another environment: pytest must not import it in search of doctests."""

collect_ignore = ["with_mxnet.py"]
