"""Where experiments get their data from."""
