"""The papers behind the statements.  ``version`` says which text was read, so that nothing is attributed unread."""

from __future__ import annotations

from theory.theorem import Reference

_ROEDER = "Roeder, Metz and Kingma, On Linear Identifiability of Learned Representations, ICML 2021, arXiv 2007.00810"
_NOT_READ = "as restated here: the paper's own wording was not at hand"


def roeder(number: str) -> Reference:
    """Roeder, Metz and Kingma (2021), at the given theorem or equation."""
    return Reference(_ROEDER, number, _NOT_READ)


def own(number: str) -> Reference:
    """A statement of this project about the setting of Roeder, Metz and Kingma; the proof is in the docstring."""
    return Reference(
        "this catalogue, in the setting of Roeder, Metz and Kingma (2021)",
        number,
        "proof in this file",
    )
