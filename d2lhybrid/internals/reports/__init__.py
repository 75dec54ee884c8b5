"""Reports: what a compiled block did, what it cost, and where its time went.

The machine and its faster rooms keep what they did anyway (stages, programs, history); the modules here turn it into
data and text when somebody asks, and no result depends on them. Backends ask ``costs`` where an estimate decides.
"""
