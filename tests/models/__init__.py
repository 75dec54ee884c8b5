"""GluonCV's and GluonNLP's model definitions, run unchanged with this package and with real MXNet.

They are taken out of clones of their repositories, which hold them; nothing of them is kept here.
"""
