"""Certificates: one counterexample in a file, exact and re-checkable, readable without running anything.

A certificate holds the instance in rationals, every piece of evidence with its witness, and the digest of the
statement it was issued for.  Each piece of evidence names the fingerprint of the instance it was computed on, so a
changed number shows even where it would not change an answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from theory.digest import digest
from theory.files import write_atomically
from theory.records import canonical, evidence_record, fingerprint, record
from theory.theorem import Theorem
from theory.verdict import Verdict

SCHEMA = "linear-identifiability/certificate/2"
STORED = Path(__file__).parent / "certificates"


class UnreadableCertificate(Exception):
    """The file is not a certificate of this schema: missing, truncated, or of another version."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A counterexample to ``theorem`` without the assumption ``dropped``, to the stronger conclusion ``claim`` in place
    of its own, or (both None) to the statement itself.

    ``origin`` is ``"search"`` or the name of the worked example; ``seed`` is that of the search.
    """

    schema: str
    theorem: str
    digest: str
    dropped: str | None
    claim: str | None
    note: str
    instance: Mapping[str, Any]
    evidence: tuple[Mapping[str, Any], ...]
    origin: str
    seed: int | None
    versions: Mapping[str, str]
    checksum: str = ""

    @property
    def file_name(self) -> str:
        return file_name(self.theorem, self.dropped, self.claim, self.origin)

    def content(self) -> dict[str, Any]:
        """Everything but the checksum, as plain data."""
        data = asdict(self)
        del data["checksum"]
        return json.loads(json.dumps(data))

    def save(self, folder: Path) -> Path:
        """Write the certificate into ``folder`` under its own name, atomically; return the path."""
        path = folder / self.file_name
        write_atomically(path, self.text)
        return path

    @property
    def text(self) -> str:
        """What is written: the content with its checksum."""
        return _readable({**self.content(), "checksum": fingerprint(self.content())}) + "\n"


def file_name(theorem: str, dropped: str | None, claim: str | None, origin: str = "search") -> str:
    """The name of a certificate's file, which says what it is a counterexample to."""
    what = f"without-{dropped}" if dropped else f"not-{claim}" if claim else "refuted"
    return f"{theorem}--{what}{'' if origin == 'search' else '--' + origin}.json"


def issue(
    theorem: Theorem[Any],
    instance: Any,
    verdict: Verdict,
    *,
    note: str,
    origin: str,
    seed: int | None,
    versions: Mapping[str, str],
) -> Certificate:
    """Return the certificate for a verdict that is a counterexample or a refutation."""
    return Certificate(
        schema=SCHEMA,
        theorem=theorem.name,
        digest=digest(theorem),
        dropped=verdict.without,
        claim=verdict.claim,
        note=note,
        instance=record(instance),
        evidence=tuple(evidence_records(instance, verdict)),
        origin=origin,
        seed=seed,
        versions=versions,
    )


def evidence_records(instance: Any, verdict: Verdict) -> list[dict[str, Any]]:
    """Return the records of all evidence of a verdict, each with the fingerprint of the instance it is about."""
    of = fingerprint([record(instance), verdict.without, verdict.claim])
    return [{**evidence_record(evidence), "of": of} for evidence in verdict.evidence]


def load(path: Path) -> Certificate:
    """Read a certificate; raises :class:`UnreadableCertificate` naming the file and what is wrong with it."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UnreadableCertificate(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableCertificate(f"{path}: cannot be read: {error}") from None
    return parsed(text, str(path))


def parsed(text: str, path: str) -> Certificate:
    """The certificate that a file holds; raises :class:`UnreadableCertificate` naming the file and what is wrong."""
    data = _data(text, path)
    if not isinstance(data, dict) or "schema" not in data:
        raise UnreadableCertificate(f"{path}: not a certificate: it has no schema")
    if data["schema"] != SCHEMA:
        raise UnreadableCertificate(f"{path}: unknown schema {data['schema']!r}; this version reads {SCHEMA!r}")
    missing, unknown = [n for n in _TYPES if n not in data], [n for n in data if n not in _TYPES]
    if missing or unknown:
        what = f"the field {missing[0]!r} is missing" if missing else f"unknown field {unknown[0]!r}"
        raise UnreadableCertificate(f"{path}: {what}; a certificate has {', '.join(_TYPES)}")
    for name, kind in _TYPES.items():
        if not isinstance(data[name], kind) or isinstance(data[name], bool):
            raise UnreadableCertificate(f"{path}: {name} is {data[name]!r}, which is not of the right type")
    if not all(isinstance(item, dict) for item in data["evidence"]):
        raise UnreadableCertificate(f"{path}: evidence must be a list of records")
    return Certificate(**{**data, "evidence": tuple(data["evidence"])})


#: The fields of a certificate with the types that JSON gives them.
_TYPES: dict[str, Any] = {
    "schema": str,
    "theorem": str,
    "digest": str,
    "dropped": str | None,
    "claim": str | None,
    "note": str,
    "instance": dict,
    "evidence": list,
    "origin": str,
    "seed": int | None,
    "versions": dict,
    "checksum": str,
}
_DEEPEST = 40


def _data(text: str, path: str) -> Any:
    """The JSON of a file, refused where it could not be written again as it is: NaN, a key twice, half a character."""
    try:
        data = json.loads(text, object_pairs_hook=_record, parse_constant=_refused)
        if _depth(data) > _DEEPEST:
            raise ValueError(f"lists are nested more than {_DEEPEST} deep")
        canonical(data).encode()
    except (ValueError, RecursionError) as error:
        raise UnreadableCertificate(f"{path}: truncated or not the JSON of a certificate: {error}") from None
    return data


def _record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record_ = dict(pairs)
    if len(record_) < len(pairs):
        twice = next(key for key, _ in pairs if sum(key == other for other, _ in pairs) > 1)
        raise ValueError(f"the key {twice!r} occurs twice in one record")
    return record_


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number of JSON")


def _depth(data: Any) -> int:
    """How deep lists and records are nested, found without recursion."""
    level, depth = [data], 0
    while level:
        depth += 1
        level = [
            inner
            for item in level
            if isinstance(item, (list, dict))
            for inner in (item.values() if isinstance(item, dict) else item)
        ]
    return depth


def _readable(data: Any, depth: int = 0) -> str:
    """JSON with one line for each innermost list, so that a matrix reads row by row."""
    pad, inner = "  " * depth, "  " * (depth + 1)
    if isinstance(data, dict) and data:
        items = [f"{inner}{json.dumps(key)}: {_readable(value, depth + 1)}" for key, value in data.items()]
        return "{\n" + ",\n".join(items) + f"\n{pad}}}"
    if isinstance(data, list) and any(isinstance(item, list | dict) for item in data):
        return "[\n" + ",\n".join(inner + _readable(item, depth + 1) for item in data) + f"\n{pad}]"
    return json.dumps(data, ensure_ascii=False)
