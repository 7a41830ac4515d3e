"""Two CPU devices, set before JAX computes anything in this process."""

from __future__ import annotations

from empirical.engine import devices

devices.choose("cpu", 2)
