"""Which files other interpreters run: nothing in them is for this one."""

collect_ignore = ["look.py", "write.py"]
