"""Programs that other people wrote for MXNet, run unchanged with this package.

Five kinds are run, each described by one module: :mod:`.programs` (the examples of MXNet), :mod:`.chapters` (books and
tutorials), :mod:`.models` (model definitions of libraries), :mod:`.libraries` (unit tests of libraries) and
:mod:`.peer` (MXNet's own unit tests). A description says what is run, on which data, what is compared and on which page
of ``docs/`` the results are. :mod:`.runner` runs a description: it takes the files out of a clone (:mod:`.clone`) into
a temporary folder, where nothing of them stays, runs each in a process of its own (:mod:`.process`), tells what
failed without a reason on the page, and writes the page (:mod:`.page`). :mod:`.inside` runs in those processes.
"""
