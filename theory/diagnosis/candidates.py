"""Candidate sets in groups: contexts with the same sets are treated together, and "all labels" is never written out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from theory.diagnosis.trained import Numbers
from theory.models import CandidateSets, LabelPair


@dataclass(frozen=True, slots=True)
class Group:
    """The contexts that have these candidate sets."""

    contexts: tuple[int, ...]
    sets: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidate sets of all contexts; ``full`` where every label is a candidate at every context."""

    groups: tuple[Group, ...]
    full: bool
    labels: int

    @classmethod
    def of(cls, sets: CandidateSets | None, contexts: int, labels: int) -> Candidates:
        """From the candidate sets of a :class:`theory.models.ModelPair`, which checks them; None for all labels."""
        everything = (tuple(range(labels)),)
        if sets is None:
            return cls((Group(tuple(range(contexts)), everything),), True, labels)
        found: dict[tuple[tuple[int, ...], ...], list[int]] = {}
        for x, chosen in enumerate(sets):
            found.setdefault(chosen, []).append(x)
        groups = tuple(Group(tuple(rows), chosen) for chosen, rows in found.items())
        full = all(len(chosen) == labels for group in groups for chosen in group.sets)
        return cls(groups, full, labels)

    def common(self) -> list[int] | None:
        """Labels any two of which lie in one candidate set at every context: those in the largest set of each.

        None for all labels.  Other choices may hold more; where these do not suffice, pairs come from all labels.
        """
        if self.full:
            return None
        shared = set(range(self.labels))
        for group in self.groups:
            shared &= set(max(group.sets, key=len))
        return sorted(shared)

    def reduced(self, pairs: Sequence[LabelPair]) -> tuple[list[int], list[int], CandidateSets]:
        """Contexts and labels on which questions about sets and pairs have the answer that they have on all.

        Two contexts of each group stand for it.  Labels that lie in exactly the same candidate sets are joined to the
        same labels, so one stands for all of them, beside the labels of the chosen pairs, which are all kept.
        """
        inside: dict[int, list[int]] = {y: [] for y in range(self.labels)}
        for number, chosen in enumerate(chosen for group in self.groups for chosen in group.sets):
            for y in chosen:
                inside[y].append(number)
        alike: dict[tuple[int, ...], list[int]] = {}
        for y, numbers in inside.items():
            alike.setdefault(tuple(numbers), []).append(y)
        kept = _labels_of(pairs)
        for numbers, members in alike.items():
            # Two of each class, so that no candidate set shrinks to one label; all that lie in no set stand alone.
            kept |= set(members[: 2 if numbers else 1])
        labels = sorted(kept)
        place = {y: i for i, y in enumerate(labels)}
        contexts: list[int] = []
        sets: list[tuple[tuple[int, ...], ...]] = []
        for group in self.groups:
            here = tuple(tuple(place[y] for y in chosen if y in place) for chosen in group.sets)
            for x in group.contexts[:2]:
                contexts.append(x)
                sets.append(here)
        return contexts, labels, tuple(sets)


def _labels_of(pairs: Iterable[LabelPair]) -> set[int]:
    return {y for pair in pairs for y in pair}


def relabelled(pairs: Sequence[LabelPair], labels: Sequence[int]) -> tuple[LabelPair, ...]:
    """The pairs in the numbering of a list of labels."""
    place = {y: i for i, y in enumerate(labels)}
    return tuple((place[a], place[b]) for a, b in pairs)


def used(pairs: Sequence[LabelPair]) -> list[int]:
    """The labels of the pairs, sorted."""
    return sorted(_labels_of(pairs))


def blocks(rows: Sequence[int], size: int) -> list[Numbers]:
    """The rows in blocks of at most ``size``."""
    whole = np.asarray(rows, dtype=np.intp)
    return [whole[i : i + size] for i in range(0, len(whole), size)]
