"""Training: many members of an ensemble in one compiled program, on whatever devices there are, and resumable.

See docs/explanation/training.md.
"""

from __future__ import annotations

from empirical.engine.ensemble import Ensemble, Member
from empirical.engine.run_folder import RunFolder
from empirical.engine.training import Interrupted, Trained, train

__all__ = ["Ensemble", "Interrupted", "Member", "RunFolder", "Trained", "train"]
