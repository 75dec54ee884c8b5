"""What texts the attributes of operators may be: real MXNet 1.9.1's answers, and a command that asks it again."""
