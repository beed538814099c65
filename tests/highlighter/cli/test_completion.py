"""Tests of the completions of shells and of the manual page, both made from the parser of all commands."""

from __future__ import annotations

import re
import subprocess
from dataclasses import fields

import pytest

from highlighter.__main__ import COMMANDS, LOCAL_COMMANDS, PARSER_COMMANDS, _build_parser, main
from highlighter.cli.completion import SHELLS
from highlighter.cli.parser_contents import iterate_parsers, list_actions
from highlighter.settings import Settings

NAMES = ["ingest", *COMMANDS, *PARSER_COMMANDS]
COMPLETE = """source {script}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _shtab_highlighter; echo "${{COMPREPLY[@]}}" """


@pytest.fixture
def read(capsys, monkeypatch):
    """A function that returns what a command prints, run where neither settings nor data are right."""
    monkeypatch.setenv("PORT", "wrong")

    def read_output(*arguments: str) -> str:
        assert main(list(arguments)) == 0
        return capsys.readouterr().out

    return read_output


def test_bash_completes_commands_options_values_and_files(read, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "completion").write_text(read("completion", "bash"), encoding="utf-8")

    def complete(words: str) -> list[str]:
        command = COMPLETE.format(script=tmp_path / "completion", words=f"highlighter {words}")
        return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout.split()

    assert complete("se") == ["serve", "search"]
    assert complete("ing") == ["ingest"]
    assert complete("search --js") == ["--json"]
    assert complete("keys re") == ["revoke"]
    assert complete("ask --mode su") == ["summary"]
    assert complete("ingest --rec") == ["--recursive"]
    assert complete(f"backup {tmp_path}/fo") == [f"{tmp_path}/folder"]


@pytest.mark.parametrize("shell", SHELLS)
def test_completions_of_every_shell_name_every_command(read, shell):
    script = read("completion", shell)
    assert [name for name in NAMES if not re.search(rf"\b{name}\b", script)] == []
    assert "python -m" not in script


def test_manual_page_has_every_command_option_and_setting(read):
    page = read("man")
    assert page.startswith(".TH HIGHLIGHTER 1 ")
    text = page.replace(r"\-", "-")
    options = {
        name
        for parser in iterate_parsers(_build_parser())
        for action in list_actions(parser)
        for name in action.option_strings
    }
    assert [name for name in NAMES if f".SS highlighter {name}\n" not in text] == []
    assert [name for name in options - {"-h", "--help", "--version"} if rf"\fB{name}\fR" not in text] == []
    assert [setting.name for setting in fields(Settings) if f".B {setting.metadata['variable']}\n" not in text] == []
    assert "highlighter keys revoke 3f9a0c52d7e1" in text
    macros = {line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))}
    assert macros == {".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".nf", ".fi"}
    assert page.isascii()


def test_every_command_that_prints_results_prints_json():
    for parser in iterate_parsers(_build_parser()):
        name = parser.prog.split()[-1]
        names = {option for action in list_actions(parser) for option in action.option_strings}
        has_commands = any(isinstance(action.choices, dict) for action in list_actions(parser))
        assert "--json" in names or has_commands or name in {"serve", "mcp", *PARSER_COMMANDS}, name
    assert set(LOCAL_COMMANDS) < set(NAMES)
