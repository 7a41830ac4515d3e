"""Examining one theorem: *holds*, *needed* and *not vacuous*, and whether together they confirm its standing."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any

from theory.arithmetic.symbolic import kernel
from theory.catalogue import catalogue
from theory.digest import digest
from theory.theorem import Standing, Theorem, check
from theory.verdict import Status
from verification.certificates import STORED, UnreadableCertificate, load
from verification.generate import Tally, exhaust, generate
from verification.profiles import Profile
from verification.replay import replay
from verification.results import Counted, Replayed, Result
from verification.search import certify

LEAST_REACHED = 0.90
MOST_UNDECIDED = 0.05


def examine(theorem: Theorem[Any], profile: Profile, seed: int, write: bool = False, folder: Path = STORED) -> Result:
    """Run every check on one theorem; with ``write`` search for its certificates again first."""
    start = perf_counter()
    failures: list[str] = []
    if write:
        try:
            for certificate in certify(theorem):
                certificate.save(folder)
        except (LookupError, ValueError) as error:
            failures.append(str(error))
    tally = _generated(theorem, profile, seed)
    failures += _failures_of_generated(theorem, tally)
    scope = _exhausted(theorem)
    failures += _failures_of_scope(theorem, scope)
    failures += _failures_of_witness(theorem)
    replayed = tuple(_replayed(theorem, folder))
    failures += _failures_of_certificates(theorem, replayed, folder)
    if theorem.repaired_by is not None:
        failures += _failures_of_repair(theorem, profile, seed)
    return Result(
        name=theorem.name,
        title=theorem.title,
        reference=str(theorem.reference),
        statement=theorem.statement,
        standing=theorem.standing.value,
        digest=digest(theorem),
        sizes=tuple(f"{size}: {count}" for size, count in profile.shares(theorem)),
        generated=_counted(tally),
        scope=None if scope is None else _counted(scope),
        scope_description=theorem.scope.description if theorem.scope else "",
        certificates=replayed,
        repaired_by=theorem.repaired_by,
        failures=tuple(failures),
        seconds=perf_counter() - start,
    )


@lru_cache(maxsize=64)
def _generated(theorem: Theorem[Any], profile: Profile, seed: int) -> Tally:
    return generate(theorem, profile.shares(theorem), seed, shrink=theorem.standing is not Standing.REFUTED)


@lru_cache(maxsize=64)
def _exhausted(theorem: Theorem[Any]) -> Tally | None:
    return exhaust(theorem)


def _failures_of_generated(theorem: Theorem[Any], tally: Tally) -> list[str]:
    failures: list[str] = []
    if theorem.standing is not Standing.REFUTED and tally.refutation is not None:
        size, instance, verdict = tally.refutation
        failures.append(f"refuted at {size}, shrunk to\n{instance!r}\n{verdict.describe()}")
    elif tally.reached < LEAST_REACHED * tally.looked_at or tally.looked_at == 0:
        failures.append(
            f"only {tally.reached} of {tally.looked_at} generated instances reach the conclusion; "
            f"at least {LEAST_REACHED:.0%} must"
        )
    undecided = tally.statuses[Status.UNDECIDED]
    if undecided > MOST_UNDECIDED * tally.looked_at:
        failures.append(
            f"{undecided} of {tally.looked_at} generated instances are undecided; at most {MOST_UNDECIDED:.0%} may be"
        )
    return failures


def _failures_of_scope(theorem: Theorem[Any], tally: Tally | None) -> list[str]:
    if tally is None:
        return []
    if theorem.standing is not Standing.REFUTED and tally.refutation is not None:
        _, instance, verdict = tally.refutation
        return [f"refuted in the exhaustive scope by\n{instance!r}\n{verdict.describe()}"]
    if tally.reached == 0 or tally.statuses[Status.UNDECIDED]:
        return [
            f"the exhaustive scope decides nothing: {tally.reached} of {tally.looked_at} instances reach the "
            f"conclusion, {tally.statuses[Status.UNDECIDED]} are undecided"
        ]
    return []


def _failures_of_witness(theorem: Theorem[Any]) -> list[str]:
    """Not vacuous: one explicit instance meets all assumptions together."""
    verdict = check(theorem, theorem.witness())
    missing = [e.describe() for e in verdict.assumptions if e.holds is not True]
    if missing:
        return ["its witness does not meet the assumptions: " + "; ".join(missing)]
    expected = (Status.HOLDS, Status.REFUTED) if theorem.standing is Standing.REFUTED else (Status.HOLDS,)
    if verdict.status not in expected:
        return [f"its witness is {verdict.status.name}:\n{verdict.describe()}"]
    return []


def _replayed(theorem: Theorem[Any], folder: Path) -> list[Replayed]:
    decided = f"exactly, {'SymPy' if 'python' in kernel() else kernel()}"
    found: list[Replayed] = []
    for path in sorted(folder.glob(f"{theorem.name}--*.json")):
        try:
            certificate = load(path)
        except UnreadableCertificate as error:
            found.append(Replayed(None, path.name, "unreadable", "", "", (str(error),)))
            continue
        result = replay(certificate, {**catalogue(), theorem.name: theorem})
        size = _size_of(certificate.instance)
        found.append(Replayed(certificate.dropped, path.name, certificate.origin, size, decided, result.problems))
    order = [None, *(assumption.name for assumption in theorem.assumptions)]
    return sorted(found, key=lambda r: (order.index(r.dropped) if r.dropped in order else len(order), r.file))


def _size_of(instance: Any) -> str:
    """The size of a recorded instance in words, read off the first model in it."""
    models = [part for part in instance.values() if isinstance(part, dict) and {"f", "g"} <= part.keys()]
    if not models:
        return "1 instance"
    f, g = models[-1]["f"], models[-1]["g"]
    return f"M={len(f[0])} K={len(g)} n={len(f)}"


def _failures_of_certificates(theorem: Theorem[Any], replayed: tuple[Replayed, ...], folder: Path) -> list[str]:
    failures = [f"{r.file}: {problem}" for r in replayed for problem in r.problems]
    accepted = {r.dropped for r in replayed if not r.problems}
    hint = f"search with: pytest verification --certify (certificates are in {folder.name}/)"
    failures += [
        f"no fresh certificate shows that {name!r} is needed; {hint}" for name in theorem.needs if name not in accepted
    ]
    if theorem.standing is Standing.REFUTED and None not in accepted:
        failures.append(f"no fresh certificate refutes the statement; {hint}")
    return failures


def _failures_of_repair(theorem: Theorem[Any], profile: Profile, seed: int) -> list[str]:
    """A refuted statement is confirmed only together with a repair that exists and holds."""
    repair = catalogue().get(theorem.repaired_by or "")
    if repair is None or repair.standing is not Standing.ESTABLISHED:
        return [f"its repair {theorem.repaired_by!r} is not an established theorem of the catalogue"]
    failures = _failures_of_generated(repair, _generated(repair, profile, seed))
    failures += _failures_of_scope(repair, _exhausted(repair))
    return [f"its repair {repair.name}: {failure}" for failure in failures]


def _counted(tally: Tally) -> Counted:
    return Counted(
        looked_at=tally.looked_at,
        holds=tally.statuses[Status.HOLDS],
        refuted=tally.statuses[Status.REFUTED],
        vacuous=tally.statuses[Status.VACUOUS],
        undecided=tally.statuses[Status.UNDECIDED],
        worst_ratio=tally.worst_ratio,
        constructions=dict(sorted(tally.constructions.items())),
    )
