"""Chapter 06: operators, passes, memory."""
