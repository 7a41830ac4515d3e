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
    from theory.theorem import Theorem
    from verification.profiles import Profile
    from verification.results import Result

PROPERTY = "linear_identifiability"
_seed = pytest.StashKey[int]()
_theorems = pytest.StashKey[dict[str, tuple["Theorem[Any]", Path]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("linear identifiability")
    group.addoption(
        "--certify",
        action="store_true",
        help="search for the counterexamples of each theorem again and write their certificates before checking",
    )
    group.addoption(
        "--theorems",
        metavar="FILE.py",
        type=Path,
        action="append",
        default=[],
        help="check the THEOREM that FILE.py defines instead of the catalogue; may be given several times",
    )
    group.addoption(
        "--certificates",
        metavar="DIR",
        type=Path,
        help="where certificates are read and written (default: in the package, or beside the file of --theorems)",
    )
    group.addoption("--report", metavar="FILE.json", type=Path, help="write everything the run found to FILE.json")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    examines = _examines(config)
    wanted: str | None = config.getoption("--hypothesis-profile", None)
    if examines and wanted is not None:
        _register_profiles(wanted)  # before Hypothesis' own plugin loads the one that was asked for by name
    config.stash[_seed] = _seed_of(config) if examines else 0
    if examines and not getattr(config.option, "help", False):
        theorems_of(config)  # before anything is collected, so that a bad file or package is one message
    report: Path | None = config.getoption("--report")
    if report is not None:
        _check_writable(report)
    if examines:
        _check_certificates(config)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Ledger(config, report), "linear-identifiability-ledger")


def _examines(config: pytest.Config) -> bool:
    """Is this run about theorems?  Everybody else's Hypothesis profiles and seeds are their own."""
    package = Path(__file__).resolve().parent
    if config.getoption("--theorems"):
        return True
    for argument in config.args:
        name = str(argument).partition("::")[0]
        if name.partition(".")[0] == "verification":
            return True
        path = (config.invocation_params.dir / name).resolve()
        inside = path == package or package in path.parents
        if inside or (path in package.parents and "site-packages" not in package.parts):
            return True
    return False


def _register_profiles(wanted: str) -> None:
    """Make the profiles known to Hypothesis; raises ``UsageError`` for one that nobody knows."""
    from hypothesis import settings
    from hypothesis.errors import InvalidArgument

    from verification.profiles import PROFILES

    for profile in PROFILES.values():
        settings.register_profile(profile.name, max_examples=profile.instances, deadline=None, database=None)
    try:
        settings.get_profile(wanted)
    except InvalidArgument:
        raise pytest.UsageError(
            f"--hypothesis-profile={wanted}: there is no such profile; this suite has {', '.join(PROFILES)}"
        ) from None


def _check_writable(path: Path) -> None:
    """Say before the run, not after it, that a report cannot be written."""
    try:
        if path.is_dir():
            raise pytest.UsageError(f"--report {path} is a folder: name a file, such as {path / 'report.json'}")
        if not path.parent.is_dir():
            raise pytest.UsageError(f"--report {path}: there is no folder {path.parent}; create it first")
    except OSError as error:  # such as a name that is too long
        raise pytest.UsageError(f"--report {path}: {error.strerror or error}") from None
    if not os.access(path.parent, os.W_OK):
        raise pytest.UsageError(f"--report {path}: the folder {path.parent} is not writable")


def _check_certificates(config: pytest.Config) -> None:
    """Say before the run that certificates cannot be read from, or written to, ``--certificates``."""
    folder: Path | None = config.getoption("--certificates")
    if folder is None:
        return
    from theory.files import check_folder

    try:
        if config.getoption("--certify"):
            check_folder(folder)
        elif not folder.is_dir():
            raise pytest.UsageError(
                f"--certificates {folder}: there is no such folder; --certify makes one and fills it"
            )
    except OSError as error:
        raise pytest.UsageError(f"--certificates {folder}: {error.strerror or error}") from None


def profile_of(config: pytest.Config) -> Profile:
    """The profile this run uses: ``--hypothesis-profile``, or quick."""
    from verification.profiles import PROFILES, other

    name = config.getoption("--hypothesis-profile", None) or "quick"
    if name in PROFILES:
        return PROFILES[name]
    from hypothesis import settings

    return other(name, settings.get_profile(name).max_examples)


def theorems_of(config: pytest.Config) -> dict[str, tuple[Theorem[Any], Path]]:
    """The theorems this run is about, by name, each with the folder of its certificates.

    Those of ``--theorems`` where it is given, else the catalogue and what installed packages register.
    """
    if _theorems not in config.stash:
        from theory.catalogue import catalogue
        from theory.loading import BadTheorem, certificates_of, load_entry_points, load_file
        from verification.budget import OutOfTime, limit
        from verification.certificates import STORED

        folder: Path | None = config.getoption("--certificates")
        chosen: dict[str, tuple[Theorem[Any], Path]] = {}
        try:
            for file in config.getoption("--theorems") or ():
                path = config.invocation_params.dir / file
                with limit(f"{file}: loading it"):
                    theorem = load_file(path)
                if theorem.name in chosen:
                    raise BadTheorem(f"{file}: the name {theorem.name!r} is used by two files of --theorems")
                chosen[theorem.name] = theorem, folder or path.parent
            if not chosen:
                with limit("loading the theorems of other packages"):
                    registered = load_entry_points()
                chosen = {name: (theorem, folder or STORED) for name, theorem in catalogue().items()}
                chosen |= {name: (t, folder or certificates_of(t)) for name, t in registered.items()}
        except (BadTheorem, OutOfTime) as error:
            raise pytest.UsageError(str(error)) from None
        config.stash[_theorems] = chosen
    return config.stash[_theorems]


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
        from theory.places import line_of
        from theory.theorem import PredicateError
        from verification.budget import OutOfTime
        from verification.examine import examine
        from verification.results import Result

        def told(result: Result) -> Result:
            request.node.user_properties.append((PROPERTY, result.to_json()))
            return result

        config = request.config
        theorem, folder = theorems_of(config)[name]
        certify = bool(config.getoption("--certify"))
        result, trouble = None, ""
        try:
            result = examine(theorem, profile_of(config), config.stash[_seed], write=certify, folder=folder)
        except (PredicateError, OutOfTime) as error:
            trouble = str(error)
        except Exception as error:
            trouble = f"{name}{line_of(error)}: it raised {type(error).__name__}: {error}"
            if not config.getoption("--theorems"):
                told(Result.without(theorem, trouble))
                raise  # the catalogue is ours: show where
        if result is None:  # after the `except`, so that one message is shown and not also what it came from
            told(Result.without(theorem, trouble))
            pytest.fail(trouble, pytrace=False)
        return told(result)

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
            if self._report is not None:
                terminalreporter.write_line(f"no theorem was examined, so no report was written to {self._report}")
            return
        from verification.report.table import summary

        profile, seed = profile_of(self._config), self._config.stash[_seed]
        terminalreporter.section("linear identifiability")
        terminalreporter.write_line(f"profile {profile.name}, seed {seed} (repeat with --hypothesis-seed={seed})")
        terminalreporter.write_line("")
        terminalreporter.write_line(summary(self._results()))
        if self._report is not None:
            terminalreporter.write_line(self._trouble or f"report written to {self._report}")
