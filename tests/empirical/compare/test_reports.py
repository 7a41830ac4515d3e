"""The same findings as text, JSON, HTML, PNG and LaTeX."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from empirical.__main__ import main
from empirical.compare.figures import _bound_data
from empirical.compare.latex import escaped
from empirical.compare.numbers import p_value, plain, short
from empirical.compare.results import Comparison, Matrix, Options, PairResult, Row
from empirical.compare.run import compare
from empirical.compare.table import rendered
from tests.empirical.compare.pairs import equivalent, model, noisy, save, unbiased
from tests.verification.running import run

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all reports of two models that are nearly equivalent, and the printed table."""
    folder = tmp_path_factory.mktemp("reports")
    star = unbiased(model(dim=2))
    save(folder / "a.npz", star)
    save(folder / "b & c.npz", {**noisy(equivalent(star), 0.1), "g.W": equivalent(star)["g"].T})
    reports = [f"--report={folder / f'r.{ending}'}" for ending in ("json", "html", "png", "tex")]
    done = run(
        "-m", "empirical", "compare", "a.npz", "b & c.npz:f=f,g=g.W", "--resamples=49", *reports, cwd=folder
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (folder / "printed.txt").write_text(done.stdout)
    return folder


def test_the_json_has_inputs_options_and_every_digit(written: Path) -> None:
    text = (written / "r.json").read_text()
    data = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert data["schema"] == "linear-identifiability/compare/1"
    assert data["sides"] == ["a.npz", "b & c.npz:f=f,g=g.W"]
    assert [entry["letter"] for entry in data["inputs"]] == ["A", "B"]
    second = data["inputs"][1]
    assert second["sha256"] == hashlib.sha256((written / "b & c.npz").read_bytes()).hexdigest()
    assert second["f"] == {"name": "f", "dtype": "float64", "stored_shape": [120, 2], "shape": [120, 2]}
    assert second["g"] == {"name": "g.W", "dtype": "float64", "stored_shape": [2, 12], "shape": [12, 2]}
    assert second["bias"] is None
    assert data["options"] == {"seed": 0, "variance": 0.99, "resamples": 49, "groups": "", "label_names": []}
    assert data["versions"].keys() >= {"python", "numpy", "linear-identifiability"}
    (pair,) = data["pairs"]
    cca = pair["measures"][0]
    assert cca["measure"] == "mean CCA"
    assert cca["low"] < cca["held_out"] < cca["high"] < 1
    assert cca["p"] == pytest.approx(1 / 50)
    assert cca["permutations"] == 49
    assert len(cca["values"]) == 2
    assert np.mean(cca["values"]) == pytest.approx(cca["value"], abs=1e-15)
    assert any(len(repr(value)) > 15 for value in cca["values"]), "digits are missing"
    assert pair["diagnosis"]["names"] == ["A", "B"]
    assert pair["sentence"] == data["sentence"]


def test_equal_runs_give_equal_reports(written: Path) -> None:
    again = written / "again.json"
    done = run(
        "-m", "empirical", "compare", "a.npz", "b & c.npz:f=f,g=g.W", "--resamples=49", f"--report={again}", cwd=written
    )
    assert done.stdout == (written / "printed.txt").read_text()
    assert again.read_text() == (written / "r.json").read_text()


def test_the_table_shows_the_numbers_of_the_json(written: Path) -> None:
    data = json.loads((written / "r.json").read_text())
    printed = (written / "printed.txt").read_text()
    for row in data["pairs"][0]["measures"]:
        (line,) = (line for line in printed.splitlines() if line.startswith(row["measure"] + "  "))
        for number in (row["value"], row["held_out"], row["low"], row["high"], row["chance"]):
            assert short(number) in line
    assert "row i of each of the 120 is taken for the same input" in printed.replace("\n", " ")
    assert printed.rstrip().endswith(data["sentence"][-20:])
    assert " ".join(printed.split()).endswith(data["sentence"])


@pytest.mark.parametrize("columns", [40, 100, 300])
def test_lines_fit(columns: int, written: Path) -> None:
    done = run(
        "-m", "empirical", "compare", "a.npz", "b & c.npz:f=f,g=g.W", "--resamples=49", cwd=written,
        env={"COLUMNS": str(columns)},
    )  # fmt: skip
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= min(max(columns, 80), 120)
    assert "\x1b" not in done.stdout
    assert all(line == line.rstrip() for line in lines)


def test_a_stream_that_has_not_all_letters(written: Path) -> None:
    done = run(
        "-m", "empirical", "compare", "a.npz:f=f", "b & c.npz:f=f", "--resamples=49", cwd=written,
        env={"PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert r"R\xb2 of B from A" in done.stdout


class Page(HTMLParser):
    """The text of a page, what it embeds and what it would load."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.sources: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "img", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page_is_whole_and_loads_nothing(written: Path) -> None:
    page = Page()
    page.feed((written / "r.html").read_text())
    assert page.open == []
    text = " ".join(" ".join(page.text).split())
    data = json.loads((written / "r.json").read_text())
    assert data["sentence"] in text
    assert "b & c.npz" in text
    assert data["inputs"][1]["sha256"] in text
    for row in data["pairs"][0]["measures"]:
        assert row["measure"] in text
        assert row["convention"] in text
    (source,) = page.sources
    kind, _, content = source.partition("base64,")
    assert kind == "data:image/png;"
    assert base64.b64decode(content).startswith(PNG)


def test_names_are_escaped_in_the_page(tmp_path: Path) -> None:
    star = unbiased(model())
    save(tmp_path / "a.npz", {"<script>alert(1)</script>": star["f"], "f": star["f"]})
    page = tmp_path / "r.html"
    side = f"{tmp_path / 'a.npz'}:f=<script>alert(1)</script>"
    assert main(["compare", side, f"{tmp_path / 'a.npz'}:f=f", "--resamples=20", f"--report={page}"]) == 0
    assert "<script>" not in page.read_text()
    assert "&lt;script&gt;" in page.read_text()


def test_the_figure_is_a_png_and_the_same_twice(written: Path) -> None:
    content = (written / "r.png").read_bytes()
    assert content.startswith(PNG)
    (embedded,) = re.findall(r"base64,([^\"]+)", (written / "r.html").read_text())
    assert base64.b64decode(embedded) == content


def test_the_latex_rows(written: Path) -> None:
    lines = (written / "r.tex").read_text().splitlines()
    assert lines[0] == "% A and B"
    rows = [line for line in lines if line.endswith(r" \\")]
    assert len(rows) == 8
    assert all(row.count(" & ") == 5 for row in rows)
    assert rows[0] == r"measure & all rows & held out & 95 \% interval & chance & p \\"
    assert escaped("a_b & 5 % of $x^2\\") == r"a\_b \& 5 \% of \$x\textasciicircum{}2\textbackslash{}"


# Numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "–"), (0.12345, "0.123"), (1.0, "1.000"), (0.99996, "0.99996"), (0.9999999, "1.000"), (-0.0001, "0.000"),
        (-1.5, "-1.500"), (123456.0, "1.2e+05"), (0.9994, "0.999"), (-0.99999, "-0.99999"),
    ],
)  # fmt: skip
def test_short_numbers(value: float | None, expected: str) -> None:
    assert short(value) == expected


@pytest.mark.parametrize(
    ("p", "expected"),
    [(None, "–"), (0.5, "0.500"), (0.0123, "0.012"), (1e-4, "0.0001"), (0.00023, "0.0002"), (1e-6, "0.000001")],
)
def test_a_p_value_is_never_0(p: float | None, expected: str) -> None:
    assert p_value(p) == expected


def test_what_is_no_number_is_null() -> None:
    found = plain({"a": [np.float64("nan"), float("inf"), np.int64(3), (1.5,)], "b": np.array([1.0, -np.inf])})
    assert found == {"a": [None, None, 3, [1.5]], "b": [1.0, None]}


def test_a_terminal_has_colour_and_files_have_none(written: Path) -> None:
    comparison = compare([f"{written / 'a.npz'}:f=f", f"{written / 'b & c.npz'}:f=f"], Options(resamples=20))
    console = Console(force_terminal=True, color_system="standard", width=90, record=False, _environ={})
    assert "\x1b[1m" in rendered(comparison, console)


@pytest.mark.parametrize("width", [20, 60, 79])
def test_a_narrow_terminal_cuts_no_number(width: int, written: Path) -> None:
    comparison = compare([f"{written / 'a.npz'}:f=f", f"{written / 'b & c.npz'}:f=f"], Options(resamples=20))
    narrow, wide = (rendered(comparison, Console(width=columns, file=StringIO())) for columns in (width, 80))
    assert narrow == wide
    assert "…" not in narrow


def test_long_names_leave_the_numbers_whole() -> None:
    rows = [Row("a measure " * 9, 0.123456, -1234.5, -1234.5, 9876.5, -0.25, 0.0001)]
    text = rendered(Comparison((), (), Options(), None, pairs=(_pair_of(rows),)), Console(width=80, file=StringIO()))
    for number in ("0.123", "-1234.500", "-1234.500 to 9876.500", "-0.250", "0.0001"):
        assert number in text
    layers = tuple(f"{i}{'layer' * 20}{i}" for i in "xyz")
    matrix = Matrix("mean CCA", ("A", "B"), layers, layers, ((0.123, 0.456, None),) * 3, ((None,) * 3,) * 3)
    text = rendered(Comparison((), (), Options(), None, (matrix,)), Console(width=80, file=StringIO()))
    assert text.count("0.123") == text.count("0.456") == 3
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text


def _pair_of(rows: list[Row]) -> PairResult:
    return PairResult(("A", "B"), tuple(rows), None, ((), ()), (), None, "", "")


@pytest.mark.parametrize("size", [0.0, 0.1])
def test_no_point_of_the_figure_lies_above_the_bound(size: float, tmp_path: Path) -> None:
    star = unbiased(model(dim=2))
    other = equivalent(star)
    paths = [save(tmp_path / f"{i}.npz", arrays) for i, arrays in enumerate((star, noisy(other, size)))]
    (pair,) = compare(paths, Options(resamples=20)).pairs
    drawn = _bound_data(pair)
    assert len(drawn) == 2
    for _, error, bound in drawn:
        assert error.shape == bound.shape == (120,)
        assert (error <= bound).all()
