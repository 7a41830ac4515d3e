"""Trained models put to the theorems: similarity measures, a user's own arrays, experiments."""
