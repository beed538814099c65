"""Messages are extracted from Python source, and no sentence for users is missed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.util import pathmatch

from highlighter.locale.message_extraction import (
    ENGLISH_ONLY_FILES,
    PROJECT_FOLDER,
    extract_messages,
    find_messages,
    list_error_names,
)

# Sentences in these files are for models or administrators, or are examples.
OTHERS = (
    "evidence/probability_network.py", "evidence/judged_passages.py", "embedding/engines.py", "embedding/bundled_model.py",
    "access_mode.py", "answering/prompt_templates.py", "answering/refusals.py", "answering/decomposition/chinese.py",
    "answering/decomposition/english.py", "answering/decomposition/english_grammar.py", "evidence_pack/*.py",
    "search/chunk_scoring.py", "diagnostics.py", "facade.py",
)  # fmt: skip
# Sentences for programs in modules that pages use, too, and sentences that pages word differently.
NOT_ON_PAGES = re.compile(
    r"A key is needed: send it as .*|Nothing in the documents answers this part\.|\{0\} (\.\.\.|\{1\}\.)"
    r"|The closest we found:|It could not be judged whether .*|These sentences contain words of the question:"
    r"|The reply is compressed, .*|It (is unchanged|was removed|was changed) .*|Host \{0\} is not trusted\."
)
SENTENCE = re.compile(r"[A-Z“{].* .*[.:?]")


def test_constants_are_messages():
    source = """
WHY = N_("Nothing stands here.")
def why(name, count):
    raise NotFound(N_("{name} has no page {count:,}.", name=name, count=count) if count else "It is empty.")
class DiskFull(HighlighterError):
    def __init__(self):
        super().__init__("It is full.")
other(f"{name} is said by nobody.")
"""
    assert [message for _, message in sorted(find_messages(ast.parse(source)))] == [
        "Nothing stands here.", "It is empty.", "{name} has no page {count:,}.", "It is full."
    ]  # fmt: skip


@pytest.mark.parametrize("source", ['N_(f"Page {page}:")', 'raise NotFound(f"Page {page}." if page else "No page.")'])
def test_f_string_is_refused(source):
    """Its values could only be found again by taking the sentence apart."""
    with pytest.raises(ValueError, match="f-string"):
        list(find_messages(ast.parse(source)))


def test_subclasses_of_errors_are_listed():
    assert {"HighlighterError", "NotFound", "UnreadableFile", "ApiKeyRefused", "OutsideLinkScope"} <= list_error_names()
    assert "ValueError" not in list_error_names()


def test_every_sentence_of_pages_is_a_message():
    known = {one.id for one in extract_messages() if one.id and not one.pluralizable}
    forgotten = [
        f"{path.relative_to(PROJECT_FOLDER)}:{line}: {sentence}"
        for path in sorted(
            [*(PROJECT_FOLDER / "highlighter").rglob("*.py"), *(PROJECT_FOLDER / "ingest").rglob("*.py")]
        )
        if not _for_others(path)
        for line, sentence in _sentences(ast.parse(path.read_bytes()))
        if sentence not in known and sentence.rstrip(".:") not in known and not NOT_ON_PAGES.fullmatch(sentence)
    ]
    assert forgotten == []


def _for_others(path: Path) -> bool:
    folder, _, rest = path.relative_to(PROJECT_FOLDER).as_posix().partition("/")
    if folder == "ingest":
        return rest in ("__main__.py", "terminal_report.py", "batch.py", "remote_upload.py")
    return any(pathmatch(pattern, rest) for pattern in (*ENGLISH_ONLY_FILES, *OTHERS))


def _sentences(tree: ast.AST) -> Iterator[tuple[int, str]]:
    left_out: set[int] = set()
    for node in ast.walk(tree):
        if id(node) in left_out or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):  # a docstring
            left_out.update(map(id, ast.iter_child_nodes(node)))
        elif isinstance(node, ast.Call) and _to_the_log(node.func):
            left_out.update(map(id, ast.walk(node)))
        elif isinstance(node, ast.JoinedStr):
            left_out.update(map(id, node.values))
        if id(node) not in left_out and isinstance(node, (ast.Constant, ast.JoinedStr)):
            message = _read_text(node).strip()
            if SENTENCE.fullmatch(message):
                yield node.lineno, message


def _read_text(node: ast.Constant | ast.JoinedStr) -> str:
    """Return a string, or an f-string with numbers in its gaps."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    texts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
    return "".join(f"{{{texts[:index].count(None)}}}" if text is None else text for index, text in enumerate(texts))


def _to_the_log(called: ast.expr) -> bool:
    """Or raised for programmers."""
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        return called.value.id == "log"
    return isinstance(called, ast.Name) and called.id in ("ValueError", "print")
