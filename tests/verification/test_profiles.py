"""Profiles: how many instances of which sizes, from which seed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.verification.made_up import TRUE
from theory.catalogue import catalogue, find
from theory.sizes import Size
from verification.profiles import PROFILES, Profile, other, seed_for


def test_the_two_profiles() -> None:
    quick, thorough = PROFILES["quick"], PROFILES["thorough"]
    assert (quick.instances, quick.max_dim, quick.seed) == (100, 4, 0)
    assert (thorough.instances, thorough.max_dim, thorough.seed) == (10_000, 6, None)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))
@pytest.mark.parametrize("name", list(catalogue()))
def test_every_size_gets_its_share(profile: Profile, name: str) -> None:
    shares = profile.shares(find(name))
    assert sum(instances for _, instances in shares) == profile.instances
    assert [size for size, _ in shares] == [size for size in find(name).sizes if size.dim <= profile.max_dim]
    counts = [instances for _, instances in shares]
    assert max(counts) - min(counts) <= 1
    assert counts == sorted(counts, reverse=True), "the first ones get the remainder"
    assert min(counts) > 0


def test_a_theorem_about_large_dimensions_is_examined_at_its_first() -> None:
    large = replace(TRUE, sizes=(Size(7, 8, 8), Size(8, 9, 9)))
    assert PROFILES["quick"].shares(large) == [(Size(7, 8, 8), 100)]


def test_a_profile_of_the_users_own() -> None:
    assert other("mine", 17) == Profile("mine", instances=17, max_dim=4, seed=0)


def test_seeds_are_the_same_everywhere() -> None:
    """Pinned: another number would silently change every generated instance and every searched certificate."""
    assert seed_for(0, "few_labels", Size(2, 2, 2)) == EXPECTED_SEED
    parts = [seed_for(0, "a", "b"), seed_for(1, "a", "b"), seed_for(0, "b", "a"), seed_for(0, "ab"), seed_for(0, "a")]
    assert len(set(parts)) == len(parts)


EXPECTED_SEED = 2699098692575242140
