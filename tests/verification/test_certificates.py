"""Certificates as files: written and read back the same, readable, and refused by name when anything is odd."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from theory.catalogue import find
from theory.checking import check
from theory.records import fingerprint
from verification.certificates import SCHEMA, STORED, Certificate, UnreadableCertificate, issue, load

ALL = sorted(STORED.glob("*.json"))
ONE = STORED / "few_labels--without-few_labels.json"
FIELDS = [field.name for field in fields(Certificate)]


def issued(**changes: Any) -> Certificate:
    """A certificate for a worked example, made here and now."""
    theorem = find("few_labels")
    instance = theorem.worked[0].build()
    verdict = check(theorem, instance, without="few_labels")
    details: dict[str, Any] = {
        "note": "K = M + 1 → diverse",
        "origin": "boundary",
        "seed": None,
        "versions": {"a": "1"},
    }
    return issue(theorem, instance, verdict, **{**details, **changes})


def test_round_trip(tmp_path: Path) -> None:
    certificate = issued()
    read = load(certificate.save(tmp_path))
    assert replace(read, checksum="") == certificate
    assert read.checksum == fingerprint(certificate.content())


def test_saving_again_writes_the_same_bytes(tmp_path: Path) -> None:
    path = issued().save(tmp_path)
    first = path.read_bytes()
    assert load(path).save(tmp_path) == path
    assert path.read_bytes() == first
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_stored_files_are_what_saving_writes(path: Path, tmp_path: Path) -> None:
    """Under their own names, to the byte: nobody edited one by hand."""
    certificate = load(path)
    assert certificate.file_name == path.name
    assert certificate.save(tmp_path).read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("dropped", "claim", "origin", "name"),
    [
        ("h_not_affine", None, "search", "few_labels--without-h_not_affine.json"),
        ("few_labels", None, "boundary", "few_labels--without-few_labels--boundary.json"),
        (None, "never_attained", "search", "few_labels--not-never_attained.json"),
        (None, "never_attained", "by_hand", "few_labels--not-never_attained--by_hand.json"),
        (None, None, "search", "few_labels--refuted.json"),
        (None, None, "by_hand", "few_labels--refuted--by_hand.json"),
    ],
)
def test_file_names(dropped: str | None, claim: str | None, origin: str, name: str) -> None:
    assert replace(issued(), dropped=dropped, claim=claim, origin=origin).file_name == name


def test_a_matrix_reads_row_by_row(tmp_path: Path) -> None:
    """One line for each row, one for each field, and every number as a person writes it."""
    text = issued().save(tmp_path).read_text(encoding="utf-8")
    assert text.startswith(f'{{\n  "schema": "{SCHEMA}",\n  "theorem": "few_labels",\n')
    assert '      "g": [\n        ["0", "0"],\n        ["1", "0"],\n        ["0", "1"]\n      ],\n' in text
    assert '"note": "K = M + 1 → diverse"' in text, "not escaped"
    assert text.endswith("}\n")
    assert max(map(len, text.splitlines())) < 120


def test_a_failing_write_leaves_the_old_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full_disk(*_: Any) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = issued().save(tmp_path)
    old = path.read_bytes()
    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(OSError, match="No space left"):
        issued(note="another").save(tmp_path)
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == [path.name]


# What is refused ------------------------------------------------------------------------------------------------


def refused(path: Path, what: str) -> None:
    with pytest.raises(UnreadableCertificate, match=re.escape(what)) as raised:
        load(path)
    assert str(raised.value).startswith(f"{path}: "), "the file is named"


@pytest.fixture
def written(tmp_path: Path) -> Callable[[bytes | str], Path]:
    def write(content: bytes | str) -> Path:
        path = tmp_path / "certificate.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_missing_file(tmp_path: Path) -> None:
    refused(tmp_path / "none.json", "there is no such file")


def test_folder(tmp_path: Path) -> None:
    refused(tmp_path, "cannot be read")


def test_truncated_anywhere(written: Callable[[bytes], Path]) -> None:
    """At every byte but the last, which is the end of the last line."""
    path = written(ONE.read_bytes())
    os.truncate(path, path.stat().st_size - 1)
    assert load(path) == load(ONE)
    for length in reversed(range(path.stat().st_size)):
        os.truncate(path, length)
        try:
            load(path)
        except UnreadableCertificate as error:
            assert str(error).startswith(f"{path}: truncated or not the JSON of a certificate: ")  # noqa: PT017 (faster than `raises`)
        else:
            pytest.fail(f"cut after {length} bytes, and read all the same")


@pytest.mark.parametrize("text", ["", "no JSON", "{'theorem': 'few_labels'}", "[" * 100_000, ONE.read_text() + "}"])
def test_not_json(written: Callable[[str], Path], text: str) -> None:
    refused(written(text), "truncated or not the JSON of a certificate: ")


@pytest.mark.parametrize("content", [b"\xff\xfe{}", '{"note": "é"}'.encode("latin-1"), b"\x80\x04\x95."])
def test_not_utf_8(written: Callable[[bytes], Path], content: bytes) -> None:
    refused(written(content), "cannot be read")


@pytest.mark.parametrize("text", ["{}", "[]", "3", "null", '"text"', '[{"schema": 1}]', '{"theorem": "few_labels"}'])
def test_json_of_something_else(written: Callable[[str], Path], text: str) -> None:
    refused(written(text), "not a certificate: it has no schema")


def changed(**changes: Any) -> str:
    return json.dumps({**json.loads(ONE.read_text(encoding="utf-8")), **changes})


@pytest.mark.parametrize(
    "schema", ["linear-identifiability/certificate/1", "linear-identifiability/report/2", "", 1, None, [SCHEMA]]
)
def test_unknown_schema(written: Callable[[str], Path], schema: Any) -> None:
    refused(written(changed(schema=schema)), f"unknown schema {schema!r}; this version reads {SCHEMA!r}")


@pytest.mark.parametrize("name", [name for name in FIELDS if name != "schema"])
def test_missing_field(written: Callable[[str], Path], name: str) -> None:
    data = json.loads(ONE.read_text(encoding="utf-8"))
    del data[name]
    refused(written(json.dumps(data)), f"the field {name!r} is missing; a certificate has schema, theorem,")


def test_unknown_field(written: Callable[[str], Path]) -> None:
    refused(written(changed(comment="hello")), "unknown field 'comment'; a certificate has schema, theorem,")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theorem", 3),
        ("theorem", None),
        ("dropped", ["few_labels"]),
        ("dropped", False),
        ("claim", {"name": "orthogonal"}),
        ("instance", []),
        ("instance", None),
        ("versions", "3.11"),
        ("evidence", {}),
        ("evidence", None),
        ("digest", 5),
        ("note", ["a"]),
        ("origin", ["search"]),
        ("seed", "0"),
        ("seed", 0.5),
        ("seed", True),
        ("checksum", None),
    ],
)
def test_wrong_types(written: Callable[[str], Path], name: str, value: Any) -> None:
    refused(written(changed(**{name: value})), f"{name} is {value!r}, which is not of the right type")


def test_evidence_that_is_no_record(written: Callable[[str], Path]) -> None:
    refused(written(changed(evidence=["few_labels"])), "evidence must be a list of records")


@pytest.mark.parametrize(
    "seed",
    ["1" * 5000, "NaN", "Infinity", "-Infinity", "[" * 600 + "]" * 600, "[" * 5000 + "]" * 5000],
    ids=["5000 digits", "NaN", "Infinity", "-Infinity", "deep", "too deep"],
)
def test_what_python_reads_and_json_does_not(written: Callable[[str], Path], seed: str) -> None:
    """Refused like anything else that is wrong: neither accepted nor a traceback, then or in the replay."""
    refused(written(changed().replace('"seed": 0', f'"seed": {seed}')), "certificate.json: ")


def test_half_a_character(written: Callable[[str], Path]) -> None:
    """JSON can write half of a surrogate pair, which no UTF-8 text holds, so no checksum could be of it."""
    refused(written(changed(note="\ud800")), "surrogates not allowed")


def test_a_field_given_twice(written: Callable[[str], Path]) -> None:
    """Readers may take the first, programs take the last: whoever reads the file must see what is replayed."""
    twice = changed().replace('"dropped": "few_labels"', '"dropped": "other", "dropped": "few_labels"')
    refused(written(twice), "the key 'dropped' occurs twice in one record")
