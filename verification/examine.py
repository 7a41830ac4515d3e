"""Examining one theorem: *holds*, *needed* and *not vacuous*, and whether together they confirm its standing."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any

from theory.arithmetic.symbolic import kernel
from theory.catalogue import catalogue
from theory.digest import digest
from theory.theorem import PredicateError, Standing, Theorem
from theory.verdict import Status
from verification.budget import checked, described, described_one, witness_of
from verification.certificates import STORED, Certificate, UnreadableCertificate, load
from verification.generate import Tally, exhaust, generate
from verification.profiles import Profile
from verification.replay import replay
from verification.results import Counted, Replayed, Result
from verification.search import certify
from verification.stable import stable
from verification.tight import tight

LEAST_REACHED = 0.90
MOST_UNDECIDED = 0.05
WELL_CONDITIONED = 6


def examine(theorem: Theorem[Any], profile: Profile, seed: int, write: bool = False, folder: Path = STORED) -> Result:
    """Run every check on one theorem; with ``write`` search for its certificates again first."""
    start = perf_counter()
    failures: list[str] = []
    if write:
        try:
            for certificate in certify(theorem):
                certificate.save(folder)
        except (LookupError, ValueError, TypeError, PredicateError) as error:
            failures.append(str(error))
        except OSError as error:
            failures.append(f"certificates could not be written to {folder}: {error.strerror or error}")
    tally = _generated(theorem, profile, seed)
    failures += _failures_of_generated(theorem, tally)
    scope = _exhausted(theorem)
    failures += _failures_of_scope(theorem, scope)
    floating = stable(theorem, profile, seed)
    failures += _failures_of_stable(theorem, floating)
    elements, not_tight = tight(theorem, profile, seed)
    failures += not_tight
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
        floating={f"1e{decade}": _counted(counts) for decade, counts in floating.items()},
        elements=elements,
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
        failures.append(f"refuted at {size}, shrunk to\n{instance!r}\n{described(verdict)}")
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
        return [f"refuted in the exhaustive scope by\n{instance!r}\n{described(verdict)}"]
    if tally.reached == 0 or tally.statuses[Status.UNDECIDED]:
        return [
            f"the exhaustive scope decides nothing: {tally.reached} of {tally.looked_at} instances reach the "
            f"conclusion, {tally.statuses[Status.UNDECIDED]} are undecided"
        ]
    return []


def _failures_of_stable(theorem: Theorem[Any], floating: dict[int, Tally]) -> list[str]:
    """In floating point a true statement is never refuted, and nearly all well-conditioned instances are decided.

    Undecided and vacuous count together: condition numbers are chosen for the difference matrices, and what is
    computed from them can be too ill-conditioned for an assumption about its rank to show.
    """
    failures: list[str] = []
    for decade, tally in floating.items():
        if theorem.standing is not Standing.REFUTED and tally.refutation is not None:
            size, _, verdict = tally.refutation
            failures.append(f"refuted in floating point at condition number 1e{decade}, {size}:\n{described(verdict)}")
    easy = sum((tally.statuses for decade, tally in floating.items() if decade <= WELL_CONDITIONED), Counter())
    if easy[Status.UNDECIDED] + easy[Status.VACUOUS] > MOST_UNDECIDED * easy.total():
        failures.append(
            f"{easy[Status.UNDECIDED]} of {easy.total()} floating-point instances up to condition number "
            f"1e{WELL_CONDITIONED} are undecided and {easy[Status.VACUOUS]} do not meet the assumptions; "
            f"together at most {MOST_UNDECIDED:.0%} may be"
        )
    return failures


def _quantiles(ratios: list[float]) -> dict[str, float]:
    """Median, 90 % quantile and maximum, each a value that occurred; empty for no values."""
    ordered = sorted(ratios)
    if not ordered:
        return {}
    at = {"median": 0.5, "p90": 0.9, "max": 1.0}
    return {name: ordered[min(int(share * len(ordered)), len(ordered) - 1)] for name, share in at.items()}


def _failures_of_witness(theorem: Theorem[Any]) -> list[str]:
    """Not vacuous: one explicit instance meets all assumptions together."""
    verdict = checked(theorem, witness_of(theorem))
    missing = [described_one(theorem.name, e) for e in verdict.assumptions if e.holds is not True]
    if missing:
        return ["its witness does not meet the assumptions: " + "; ".join(missing)]
    expected = (Status.HOLDS, Status.REFUTED) if theorem.standing is Standing.REFUTED else (Status.HOLDS,)
    if verdict.status not in expected:
        return [f"its witness is {verdict.status.name}:\n{described(verdict)}"]
    return []


def _replayed(theorem: Theorem[Any], folder: Path) -> list[Replayed]:
    exactly = f"exactly, {'SymPy' if 'python' in kernel() else kernel()}"
    found: list[Replayed] = []
    for path in sorted(folder.glob(f"{theorem.name}--*.json")):
        try:
            certificate = load(path)
        except UnreadableCertificate as error:
            problem = str(error).removeprefix(f"{path}: ")
            found.append(Replayed(None, None, path.name, "unreadable", "", "", (problem,)))
            continue
        replayed = replay(certificate, {**catalogue(), theorem.name: theorem})
        problems, decided = replayed.problems, exactly if replayed.exact else "in floating point"
        if _of_an_earlier_wording(theorem, certificate):
            problems = (f"it refutes an earlier wording of {theorem.name}, not this one: delete it",)
        if certificate.theorem != theorem.name:
            problems = (f"it is about {certificate.theorem}, not about {theorem.name}", *problems)
        size = "" if problems else _size_of(certificate.instance)
        about = (certificate.dropped, certificate.claim)
        found.append(Replayed(*about, path.name, certificate.origin, size, decided, problems))
    order = {about: place for place, about in enumerate(theorem.certifiable())}
    return sorted(found, key=lambda r: (order.get((r.dropped, r.claim), len(order)), r.file))


def _of_an_earlier_wording(theorem: Theorem[Any], certificate: Certificate) -> bool:
    """Does it refute the statement itself, before somebody changed it?  No search makes such a certificate fresh."""
    itself = certificate.theorem == theorem.name and certificate.dropped is None and certificate.claim is None
    return itself and theorem.standing is not Standing.REFUTED and certificate.digest != digest(theorem)


def _size_of(instance: Any) -> str:
    """The size of a recorded instance in words, read off the last model or representation in it."""
    parts = list(instance.values())
    for part in list(parts):
        parts += part.values() if isinstance(part, dict) else []
    models = [part for part in parts if isinstance(part, dict) and {"f", "g"} <= part.keys()]
    if models:
        f, g = models[-1]["f"], models[-1]["g"]
        return f"M={len(f[0])} K={len(g)} n={len(f)}"
    matrices = [part for part in parts if isinstance(part, list) and part and isinstance(part[0], list)]
    return f"M={len(matrices[-1][0])} n={len(matrices[-1])}" if matrices else "1 instance"


def _failures_of_certificates(theorem: Theorem[Any], replayed: tuple[Replayed, ...], folder: Path) -> list[str]:
    failures = [f"{r.file}: {problem}" for r in replayed for problem in r.problems]
    if theorem.standing is not Standing.REFUTED:
        failures += [
            f"{r.file} refutes the statement itself, which contradicts its standing, {theorem.standing.value}"
            for r in replayed
            if not r.problems and r.dropped is None and r.claim is None
        ]
    accepted = {(r.dropped, r.claim) for r in replayed if not r.problems}
    hint = f"search with: pytest verification --certify (certificates are in {folder.name}/)"
    if folder != STORED:
        hint = f"search with --certify (certificates are in {folder})"
    for dropped, claim in theorem.certifiable():
        if (dropped, claim) not in accepted:
            shows = f"shows that {dropped!r} is needed" if dropped else f"refutes {claim or 'the statement'}"
            failures.append(f"no fresh certificate {shows}; {hint}")
    return failures


def _failures_of_repair(theorem: Theorem[Any], profile: Profile, seed: int) -> list[str]:
    """A refuted statement is confirmed only together with a repair that exists and holds."""
    repair = catalogue().get(theorem.repaired_by or "")
    if repair is None or repair.standing is not Standing.ESTABLISHED:
        return [f"its repair {theorem.repaired_by!r} is not an established theorem of the catalogue"]
    failures = _failures_of_generated(repair, _generated(repair, profile, seed))
    failures += _failures_of_scope(repair, _exhausted(repair))
    failures += _failures_of_witness(repair)
    return [f"its repair {repair.name}: {failure}" for failure in failures]


def _counted(tally: Tally) -> Counted:
    return Counted(
        looked_at=tally.looked_at,
        holds=tally.statuses[Status.HOLDS],
        refuted=tally.statuses[Status.REFUTED],
        vacuous=tally.statuses[Status.VACUOUS],
        undecided=tally.statuses[Status.UNDECIDED],
        ratios=_quantiles(tally.ratios),
        distinct=len(tally.different),
        constructions=dict(sorted(tally.constructions.items())),
    )
