"""``python -m verification refute FILE``: is a conjecture worth proving?  The text it prints, and its exit code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from theory.digest import digest
from theory.indeterminacy import CLASSES
from theory.paste import pasted
from theory.sizes import Size
from theory.theorem import PredicateError, Standing, Theorem
from theory.verdict import Status
from verification.budget import OutOfTime, described_one, limit, witness_of
from verification.certificates import Certificate, UnreadableCertificate, file_name, issue, load
from verification.conjecture import Examined, Stronger, Suggestions, examine, suggestions
from verification.instances import exact
from verification.rehearse import rehearse
from verification.search import Found, Widely
from verification.versions import versions

NOT_FALSIFIED, COUNTEREXAMPLE, STARVED = 0, 1, 3


@dataclass(slots=True)
class Report:
    """What ``refute`` found: the exit code, the text, and the certificates that go with it, not written yet.

    ``uncertified`` says of each counterexample that has no certificate why, by the name that its file would have.
    """

    theorem: Theorem[Any]
    seed: int
    code: int = NOT_FALSIFIED
    lines: list[str] = field(default_factory=list)
    certificates: list[Certificate] = field(default_factory=list)
    uncertified: dict[str, str] = field(default_factory=dict)

    def add(self, *lines: str) -> None:
        self.lines += lines

    def certify(self, found: Found) -> str:
        """Note a certificate for a counterexample; return the name of its file."""
        note = f"smallest found by the ladder: {found.size}"
        name = file_name(self.theorem.name, found.verdict.without, found.verdict.claim)
        try:
            with limit(f"{self.theorem.name}: the witnesses of its evidence"):
                certificate = issue(
                    self.theorem,
                    found.instance,
                    found.verdict,
                    note=note,
                    origin="search",
                    seed=self.seed,
                    versions=versions(),
                )
        except (TypeError, ValueError, PredicateError, OutOfTime) as error:
            self.uncertified[name] = str(error)
        else:
            self.certificates.append(certificate)
        return name

    def rehearse(self, file: Path) -> None:
        """Keep the certificates that a replay will accept, with the theorem's ``file``, and note why others are not."""
        self.uncertified |= rehearse(self.certificates, file)
        self.certificates = [c for c in self.certificates if c.file_name not in self.uncertified]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def refute(theorem: Theorem[Any], instances: int, seed: int) -> Report:
    """Examine a conjecture on its own sizes and constructions.

    Raises :class:`theory.loading.BadTheorem` where no construction builds, and what the theorem's own code raises.
    """
    report = Report(theorem, seed)
    report.add(f"{theorem.name}: {theorem.title}", f"  {theorem.statement}", "")
    examined = examine(theorem, instances, seed)
    if examined.found is not None:
        report.code = COUNTEREXAMPLE
        _refuted(report, examined.found, examined)
        return report
    if examined.tally.reached == 0 or examined.witness.status is not Status.HOLDS:
        report.code = STARVED
        _no_witness(report, examined)
        return report
    _survived(report, examined)
    if examined.starved:
        report.code = STARVED
        _starved(report, examined)
        return report
    _suggested(report, suggestions(theorem, seed))
    return report


def _refuted(report: Report, found: Found, examined: Examined) -> None:
    report.add(f"refuted by a counterexample at {found.size}, the smallest size at which one was found:", "")
    report.add(*_pasted(found.instance))
    report.add("", *(f"  {described_one(report.theorem.name, evidence)}" for evidence in found.verdict.evidence))
    if examined.borrowed is not None:
        report.add("  none of its own constructions builds one; this one is of the catalogue's, " + found.construction)
    if not exact(found.instance):
        report.add("  decided in floating point, by error bounds")
    report.certify(found)


def _pasted(instance: Any) -> list[str]:
    try:
        return [f"    {line}".rstrip() for line in pasted(instance).splitlines()]
    except TypeError as error:
        return [f"    {instance!r}", f"    (not as source: {error})"]
    except ValueError as error:
        return [f"    (too long to be shown: {error})"]


def _no_witness(report: Report, examined: Examined) -> None:
    looked_at = examined.tally.looked_at
    if examined.tally.reached == 0:
        report.add("no witness: nothing shows that the assumptions can hold together, so nothing was tested")
        report.add(f"  none of {looked_at:,} instances meets them all", *_unmet(examined))
    else:
        report.add("no witness: the instance that the theorem gives as its witness is none")
        report.add(
            f"  {examined.tally.reached:,} of {looked_at:,} other instances meet the assumptions: take one of those"
        )
    report.add("  on the theorem's own witness:")
    report.add(*(f"    {described_one(report.theorem.name, evidence)}" for evidence in examined.witness.evidence))


def _starved(report: Report, examined: Examined) -> None:
    share = examined.tally.reached / examined.tally.looked_at
    report.add(
        "", f"starved: the conclusion was decided on only {share:.0%} of the instances, at least 90 % are needed"
    )
    report.add(*_unmet(examined))
    report.add("  build instances that meet the assumptions (see `constructions`) instead of hoping for them")


def _unmet(examined: Examined) -> list[str]:
    return [f"  {name} fails first on {count:,} of them" for name, count in examined.unmet.most_common()]


def _survived(report: Report, examined: Examined) -> None:
    tally = examined.tally
    statuses = tally.statuses
    report.add(
        f"not falsified on {tally.looked_at:,} instances ({len(tally.different):,} different): the conclusion holds "
        f"on the {statuses[Status.HOLDS]:,} that meet the assumptions ({tally.reached / max(tally.looked_at, 1):.0%})",
        f"  seed {examined.seed}; {_span(examined.sizes)}",
        "  built by: " + ", ".join(f"{name} ({count:,})" for name, count in sorted(tally.constructions.items())),
    )
    if not exact(witness_of(examined.theorem)) or statuses[Status.UNDECIDED]:
        report.add(f"  undecided in floating point on {statuses[Status.UNDECIDED]:,}: neither for nor against")
    report.add(*_borrowed(examined.borrowed), _scope(examined), "  this is evidence on these instances, not a proof")


def _borrowed(borrowed: Widely | None) -> list[str]:
    """On how many instances of the catalogue's constructions the conclusion was decided as well; nothing where none."""
    if borrowed is None or not borrowed.decided + borrowed.raised:
        return []
    raised = f"; on {borrowed.raised:,} more it raised ({borrowed.error})" if borrowed.raised else ""
    return [
        f"  nor on {borrowed.decided:,} instances of the catalogue's constructions that meet the assumptions{raised}"
    ]


def _scope(examined: Examined) -> str:
    scope, described = examined.scope, examined.theorem.scope
    if scope is None or described is None:
        return "  no exhaustive scope is declared (see `scope`)"
    looked_at, reached, undecided = scope.tally.looked_at, scope.tally.reached, scope.tally.statuses[Status.UNDECIDED]
    doubt = f", undecided on {undecided:,}" if undecided else ""
    if not scope.finished:
        return (
            f"  not exhaustive: the scope did not end within the time; {looked_at:,} of its instances were looked at, "
            f"and the conclusion holds on the {reached:,} that meet the assumptions{doubt}"
        )
    if not reached:
        none = f"none of its {looked_at:,} instances reaches the conclusion{doubt}"
        return f"  no evidence from the exhaustive scope: {none}"
    share = f"{reached:,} of {looked_at:,} instances that meet the assumptions"
    return f"  exhaustive: holds on {'' if undecided else 'all '}{share}{doubt}: {described.description}"


def _span(sizes: tuple[Size, ...]) -> str:
    dims, labels, contexts = ([getattr(s, name) for s in sizes] for name in ("dim", "labels", "contexts"))
    return (
        f"{len(sizes)} sizes: M {min(dims)} to {max(dims)}, K {min(labels)} to {max(labels)}, "
        f"n {min(contexts)} to {max(contexts)}"
    )


def _suggested(report: Report, found: Suggestions) -> None:
    report.add("", "dropping one assumption at a time:")
    for name, said in found.needed.items():
        if said.found is not None:
            report.add(f"  {name}: needed, {_written(report, said.found, 'without it')}")
        elif said.raised:
            report.add(
                f"  {name}: not decided: the conclusion raised on {said.raised:,} instances without it ({said.error})"
            )
        else:
            report.add(f"  {name}: no counterexample without it was found")
    unused = [name for name, said in found.needed.items() if said.found is None and not said.raised]
    if unused:
        report.add(f"  perhaps unused: {', '.join(unused)}")
    _stronger(report, found.stronger)
    report.add("", *_nearest(found))
    standing = report.theorem.standing
    if standing is not Standing.CONJECTURE:
        report.add(f"(its standing is declared as {standing.value}; here it was examined as a conjecture)")


def _written(report: Report, found: Found, what: str) -> str:
    return f"a counterexample {what} at {found.size}: {report.certify(found)}"


def _stronger(report: Report, stronger: tuple[Stronger, ...]) -> None:
    if not stronger:
        return
    listed = bool(report.theorem.stronger)
    total = stronger[0].holds + stronger[0].fails + stronger[0].undecided
    about = "the stronger conclusions that it lists" if listed else "f* and f' related by a map of a class"
    report.add("", f"can the conclusion be stronger?  {about}, on {total} instances that meet the assumptions:")
    for claim in stronger:
        doubt = f", undecided on {claim.undecided}" if claim.undecided else ""
        if claim.found is not None:
            report.add(f"  {claim.name}: refuted, {_written(report, claim.found, 'to it')}")
        elif claim.fails:
            report.add(f"  {claim.name}: refuted, it fails on {claim.fails}{doubt}")
        else:
            report.add(f"  {claim.name}: not falsified, it holds on {claim.holds}{doubt}")
    held = [claim.name for claim in stronger if claim.found is None and not claim.fails]
    if listed and held:
        report.add(f"  perhaps strengthen the conclusion to: {', '.join(held)} (evidence on these instances only)")
    elif held:
        least = [name for name in held if not set(CLASSES[name].smaller) & set(held)]
        report.add(
            f"  if it claims less, perhaps strengthen it to: {', '.join(least)} (evidence on these instances only)"
        )
    elif not listed:
        report.add("  none of these classes relates them on all of these instances")


def _nearest(found: Suggestions) -> list[str]:
    if found.nearest is None:
        return ["no theorem of the catalogue shares an assumption with it"]
    name, shared = found.nearest
    return [f"nearest theorem of the catalogue: {name} (shares {', '.join(shared)}); see: python -m theory show {name}"]


def stale_ones(theorem: Theorem[Any], folder: Path) -> Iterator[Path]:
    """The certificates of the theorem in ``folder`` that were issued for another wording or code of it."""
    for path in sorted(folder.glob(f"{theorem.name}--*.json")):
        try:
            certificate = load(path)
        except UnreadableCertificate:
            continue
        if certificate.theorem == theorem.name and certificate.digest != digest(theorem):
            yield path
