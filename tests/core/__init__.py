"""What the machine in ``d2lhybrid/internals/core`` says and computes, part by part."""
