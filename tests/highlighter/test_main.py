"""python -m highlighter, as a person runs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from highlighter import __version__
from highlighter.__main__ import COMMANDS, main
from ingest.__main__ import main as ingest_main


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "highlighter", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_help_names_every_command_with_examples_and_loads_nothing_heavy():
    helped = run("--help")
    assert helped.returncode == 0
    assert all(name in helped.stdout for name in COMMANDS)
    assert "examples:" in helped.stdout
    assert not any(heavy in helped.stderr for heavy in ("sqlalchemy", "numpy", "flask", "chromadb", "torch"))


@pytest.mark.parametrize("main", [main, ingest_main])
def test_version_is_that_of_the_package(main, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"Highlighter {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_says_what_it_is_for(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert "examples:" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["dance"], ["doctor", "--dance"]])
def test_wrong_usage_is_exit_2(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_a_wrong_setting_is_named(monkeypatch, capsys):
    monkeypatch.setenv("PORT", "many")
    assert main(["doctor"]) == 2
    assert "PORT='many' cannot be used" in capsys.readouterr().err


def test_ingest_command_runs_the_ingestion_program(tmp_path, capsys):
    assert main(["ingest", str(tmp_path / "missing.pdf")]) == 2
    assert capsys.readouterr().err.startswith("python -m ingest: There is no such file or folder:")


def test_console_command_names_itself_in_texts(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["/usr/local/bin/highlighter", "ingest", "--help"])
    with pytest.raises(SystemExit):
        main()
    printed = capsys.readouterr().out
    assert printed.startswith("usage: highlighter ingest ")
    assert "python -m" not in printed
