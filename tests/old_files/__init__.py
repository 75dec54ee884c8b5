"""Files that old versions of MXNet wrote, and what MXNet 1.9.1 makes of them."""
