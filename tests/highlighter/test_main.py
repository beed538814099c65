"""Tests of python -m highlighter as a program: help, version and usage errors."""

from __future__ import annotations

import subprocess
import sys

import pytest

from highlighter import __version__
from highlighter.__main__ import COMMANDS, EXAMPLES, main
from highlighter.access import get_visible_collections
from highlighter.cli import locate
from ingest.__main__ import main as ingest_main


def run_program(*arguments):
    return subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "highlighter", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_help_names_every_command_and_loads_no_heavy_package():
    result = run_program("--help")
    assert result.returncode == 0
    assert all(name in result.stdout for name in COMMANDS)
    assert "examples:" in result.stdout
    assert not any(package in result.stderr for package in ("sqlalchemy", "numpy", "flask", "chromadb", "torch"))


@pytest.mark.parametrize("main", [main, ingest_main])
def test_version_option_prints_package_version(main, capsys):
    with pytest.raises(SystemExit) as exit_info:
        main(["--version"])
    assert exit_info.value.code == 0
    assert capsys.readouterr().out == f"Highlighter {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_command_help_has_examples(command, capsys):
    with pytest.raises(SystemExit) as exit_info:
        main([command, "--help"])
    assert exit_info.value.code == 0
    assert "examples:" in capsys.readouterr().out


def test_help_has_one_example_of_every_command():
    examples = EXAMPLES.splitlines()[2:-1]
    assert [
        name for name, example in zip(COMMANDS, examples, strict=True) if f"highlighter {name}" not in example
    ] == []


def test_example_of_locate_is_in_the_samples(sampled):
    quote = locate.EXAMPLES.splitlines()[1].split('"')[1]
    match = sampled.quote_locator.locate(quote, None, get_visible_collections()).place
    assert (match.tier, match.document.name) == ("exact", "Harbour Works Contract.pdf")


@pytest.mark.parametrize("arguments", [[], ["dance"], ["doctor", "--dance"]])
def test_wrong_usage_exits_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as exit_info:
        main(arguments)
    assert exit_info.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_invalid_setting_is_named(monkeypatch, capsys):
    monkeypatch.setenv("PORT", "many")
    assert main(["doctor"]) == 2
    assert "PORT='many' cannot be used" in capsys.readouterr().err


def test_ingest_command_runs_the_ingestion_program(tmp_path, capsys):
    assert main(["ingest", str(tmp_path / "missing.pdf")]) == 2
    assert capsys.readouterr().err.startswith("python -m ingest: No such file or folder:")


def test_console_command_names_itself_in_texts(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["/usr/local/bin/highlighter", "ingest", "--help"])
    with pytest.raises(SystemExit):
        main()
    printed = capsys.readouterr().out
    assert printed.startswith("usage: highlighter ingest ")
    assert "python -m" not in printed
