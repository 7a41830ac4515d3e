"""The pytest plugin: options, profiles, and the table at the end.

It is registered by an entry point, so it must cost nothing in other people's test runs: everything is imported
late, and it is silent unless a theorem was examined.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from secrets import randbelow
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from verification.profiles import Profile
    from verification.results import Result

PROPERTY = "linear_identifiability"
_OURS = ("quick", "thorough")
_seed = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("linear identifiability")
    group.addoption(
        "--certify",
        action="store_true",
        help="search for the counterexamples of each theorem again and write their certificates before checking",
    )
    group.addoption("--report", metavar="FILE.json", type=Path, help="write everything the run found to FILE.json")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    # Before Hypothesis' own plugin loads the profile that was asked for by name.
    if config.getoption("--hypothesis-profile", None) in _OURS:
        from hypothesis import settings

        from verification.profiles import PROFILES

        for profile in PROFILES.values():
            settings.register_profile(profile.name, max_examples=profile.instances, deadline=None, database=None)
    config.stash[_seed] = _seed_of(config)
    report: Path | None = config.getoption("--report")
    if report is not None:
        _check_writable(report)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Ledger(config, report), "linear-identifiability-ledger")


def _check_writable(path: Path) -> None:
    """Say before the run, not after it, that a report cannot be written."""
    if path.is_dir():
        raise pytest.UsageError(f"--report {path} is a folder: name a file, such as {path / 'report.json'}")
    if not path.parent.is_dir():
        raise pytest.UsageError(f"--report {path}: there is no folder {path.parent}; create it first")
    if not os.access(path.parent, os.W_OK):
        raise pytest.UsageError(f"--report {path}: the folder {path.parent} is not writable")


def profile_of(config: pytest.Config) -> Profile:
    """The profile this run uses: ``--hypothesis-profile``, or quick."""
    from verification.profiles import PROFILES, other

    name = config.getoption("--hypothesis-profile", None) or "quick"
    if name in PROFILES:
        return PROFILES[name]
    from hypothesis import settings

    return other(name, settings.get_profile(name).max_examples)


def _seed_of(config: pytest.Config) -> int:
    """``--hypothesis-seed`` when given, the profile's own, or a fresh one; the same in all workers of a run."""
    worker = getattr(config, "workerinput", None)
    if worker is not None and PROPERTY in worker:
        return worker[PROPERTY]
    given = config.getoption("--hypothesis-seed", None)
    if given is not None:
        try:
            return int(given)
        except ValueError:
            raise pytest.UsageError(f"--hypothesis-seed={given}: the seed must be an integer") from None
    return randbelow(2**32) if config.getoption("--hypothesis-profile", None) == "thorough" else 0


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hand the seed to each xdist worker."""
    node.workerinput[PROPERTY] = node.config.stash[_seed]


@pytest.fixture
def standing_of(request: pytest.FixtureRequest) -> Callable[[str], Result]:
    """A function that examines a theorem by name, records the result for the table and returns it."""

    def examined(name: str) -> Result:
        from theory.catalogue import find
        from verification.examine import examine

        config = request.config
        certify = bool(config.getoption("--certify"))
        result = examine(find(name), profile_of(config), config.stash[_seed], write=certify)
        request.node.user_properties.append((PROPERTY, result.to_json()))
        return result

    return examined


class Ledger:
    """Collects the results of all processes of a run, and shows and writes them at its end."""

    def __init__(self, config: pytest.Config, report: Path | None) -> None:
        self._config = config
        self._report = report
        self._found: dict[str, dict[str, Any]] = {}
        self._trouble = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self._found.update(
                {value["name"]: value for key, value in report.user_properties if key == PROPERTY}  # type: ignore[index]
            )

    def _results(self) -> list[Result]:
        from verification.results import Result

        return [Result.from_json(self._found[name]) for name in sorted(self._found)]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._report is None or not self._found:
            return
        from verification.report.document import write

        try:
            write(self._report, self._results(), profile_of(self._config).name, self._config.stash[_seed])
        except OSError as error:
            self._trouble = f"the report could not be written, an older {self._report} is unchanged: {error}"
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self._found:
            return
        from verification.report.table import summary

        profile, seed = profile_of(self._config), self._config.stash[_seed]
        terminalreporter.section("linear identifiability")
        terminalreporter.write_line(f"profile {profile.name}, seed {seed} (repeat with --hypothesis-seed={seed})")
        terminalreporter.write_line("")
        terminalreporter.write_line(summary(self._results()))
        if self._report is not None:
            terminalreporter.write_line(self._trouble or f"report written to {self._report}")
