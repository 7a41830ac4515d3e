"""Profiles: how many instances, how large, from which seed.  They are Hypothesis profiles of the same names."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from theory.sizes import Size
from theory.theorem import Theorem


@dataclass(frozen=True, slots=True)
class Profile:
    """``instances`` for each theorem, of dimension up to ``max_dim``; ``seed`` None means a fresh one for each run."""

    name: str
    instances: int
    max_dim: int
    seed: int | None

    def sizes(self, theorem: Theorem) -> list[Size]:
        """The sizes of the theorem's ladder that this profile climbs: those up to ``max_dim``, or the first."""
        return [size for size in theorem.sizes if size.dim <= self.max_dim] or [theorem.sizes[0]]

    def shares(self, theorem: Theorem) -> list[tuple[Size, int]]:
        """How many instances each size gets; the first ones get the remainder."""
        sizes = self.sizes(theorem)
        each, more = divmod(self.instances, len(sizes))
        return [(size, each + (i < more)) for i, size in enumerate(sizes)]


PROFILES = {
    "quick": Profile("quick", instances=100, max_dim=4, seed=0),
    "thorough": Profile("thorough", instances=10_000, max_dim=6, seed=None),
}


def other(name: str, instances: int) -> Profile:
    """A profile of the user's own, registered with Hypothesis elsewhere: its ``max_examples`` counts instances."""
    return Profile(name, instances, max_dim=4, seed=0)


def seed_for(seed: int, *what: object) -> int:
    """A seed for one part of a run, the same in every process and every selection of tests."""
    return int.from_bytes(hashlib.sha256(repr((seed, *map(str, what))).encode()).digest()[:8])
