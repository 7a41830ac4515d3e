"""Checks of every theorem in the catalogue: ``pytest verification``, and ``python -m verification replay``.

Importing this package loads neither Hypothesis nor FLINT: certificates replay without them.
"""
