"""All rows of bad input."""

from tests.bad_input import empirical_rows, rows

ROWS = [*rows.ROWS, *empirical_rows.ROWS]
