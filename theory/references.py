"""The papers behind the statements.  ``version`` says which text was read, so that nothing is attributed unread."""

from __future__ import annotations

from theory.theorem import Reference

_ROEDER = "Roeder, Metz and Kingma, On Linear Identifiability of Learned Representations, ICML 2021, arXiv 2007.00810"
_MARCONATO = (
    "Marconato, Lachapelle, Weichwald and Gresele, All or None: Identifiable Linear Properties of Next-Token "
    "Predictors in Language Modeling, AISTATS 2025, arXiv 2410.23501"
)
_NIELSEN_LOGITS = (
    "Nielsen, Marconato, Gresele, Dittadi and Buchholz, Logit Distance Bounds Representational Similarity, "
    "arXiv 2602.15438"
)
_OWN = "this catalogue, in the setting of Roeder, Metz and Kingma (2021)"
_NOT_READ = "as restated here: the paper's own wording was not at hand"


def roeder(number: str) -> Reference:
    """Roeder, Metz and Kingma (2021), at the given theorem or equation."""
    return Reference(_ROEDER, number, _NOT_READ)


def own(number: str) -> Reference:
    """A statement of this project about the setting of Roeder, Metz and Kingma; the proof is in the docstring."""
    return Reference(
        _OWN,
        number,
        "proof in the docstring of the theorem",
    )


def marconato(number: str) -> Reference:
    """Marconato, Lachapelle, Weichwald and Gresele (2025), at the given theorem or topic."""
    return Reference(
        _MARCONATO,
        number,
        "as restated here: of the paper only the abstract was at hand",
    )


def nielsen_logits(number: str) -> Reference:
    """Nielsen, Marconato, Gresele, Dittadi and Buchholz (2026), at the given theorem or topic."""
    return Reference(
        _NIELSEN_LOGITS,
        number,
        "as restated here: of the paper only the abstract was at hand",
    )


_BIBTEX = {
    _ROEDER: """@inproceedings{roeder2021linear,
  title     = {On Linear Identifiability of Learned Representations},
  author    = {Roeder, Geoffrey and Metz, Luke and Kingma, Durk},
  booktitle = {Proceedings of the 38th International Conference on Machine Learning},
  series    = {Proceedings of Machine Learning Research},
  volume    = {139},
  year      = {2021},
  eprint    = {2007.00810},
  archivePrefix = {arXiv},
}""",
    _MARCONATO: """@inproceedings{marconato2025all,
  title     = {All or None: Identifiable Linear Properties of Next-Token Predictors in Language Modeling},
  author    = {Marconato, Emanuele and Lachapelle, S{\\'e}bastien and Weichwald, Sebastian and Gresele, Luigi},
  booktitle = {International Conference on Artificial Intelligence and Statistics},
  year      = {2025},
  eprint    = {2410.23501},
  archivePrefix = {arXiv},
}""",
    _NIELSEN_LOGITS: """@misc{nielsen2026logit,
  title  = {Logit Distance Bounds Representational Similarity},
  author = {Nielsen and Marconato and Gresele and Dittadi and Buchholz},
  year   = {2026},
  eprint = {2602.15438},
  archivePrefix = {arXiv},
}""",
}

_OWN_BIBTEX = """@software{linear_identifiability,
  title  = {linear-identifiability: a property-based theory verification suite},
  author = {{The linear-identifiability authors}},
  year   = {2026},
}"""


def bibtex(reference: Reference) -> str:
    """The BibTeX entry of the work a statement comes from: a paper, or this catalogue for statements of its own.

    A reference that is not in the catalogue becomes a ``@misc`` entry with its text as a note.
    """
    if reference.citation == _OWN:
        return _OWN_BIBTEX
    return _BIBTEX.get(reference.citation, f"@misc{{unpublished,\n  note = {{{reference}}},\n}}")
