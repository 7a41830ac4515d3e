"""Reports of a run: the table in the terminal and the JSON file."""
