"""The commands of ``python -m empirical`` that are about experiments, one module each."""
