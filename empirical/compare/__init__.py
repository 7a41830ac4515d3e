"""How far the representations of two or more models agree, from files of arrays: ``python -m empirical compare``."""
