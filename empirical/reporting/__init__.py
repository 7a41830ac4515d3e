"""What run folders are turned into: tables, figures, JSON and LaTeX rows."""
