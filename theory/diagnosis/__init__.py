"""What theory says about two trained models, given as arrays: ``diagnose(TrainedModel(f, g), TrainedModel(f, g))``.

Not imported by ``import theory``, since it needs NumPy.  See docs/explanation/diagnosis.md.
"""

from __future__ import annotations

from theory.diagnosis.alignment import Alignment
from theory.diagnosis.assumed import Assumed, Examined
from theory.diagnosis.diagnosis import Diagnosis
from theory.diagnosis.direction import Direction
from theory.diagnosis.distances import Distances
from theory.diagnosis.fitted import Fitted
from theory.diagnosis.judged import Judgement, Support
from theory.diagnosis.ranks import ModelSummary, NumericalRank
from theory.diagnosis.run import diagnose
from theory.diagnosis.trained import TrainedModel

__all__ = [
    "Alignment",
    "Assumed",
    "Diagnosis",
    "Direction",
    "Distances",
    "Examined",
    "Fitted",
    "Judgement",
    "ModelSummary",
    "NumericalRank",
    "Support",
    "TrainedModel",
    "diagnose",
]
