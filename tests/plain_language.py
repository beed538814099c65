"""Check the names and docstrings of the project against the glossary in CONTRIBUTING.md: `python -m tests.plain_language`.

The check finds what a program can see: banned names, class names that exist twice, docstrings that begin with neither a
verb nor an article, and modules named by a participle. Everything else is for reviewers.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE_FOLDERS = ("highlighter", "ingest")
ALL_FOLDERS = (*SOURCE_FOLDERS, "tests", "bench", "training", "samples", "examples")

# Private words of the past and pronouns, each with the standard term. They are banned as whole names of modules,
# classes, functions, parameters and variables.
BANNED_NAMES = {
    "alike": "similar", "asked": "question", "desk": "ingest_queue", "far": "remote", "heard": "feedback", "jail": "process_pool",
    "keep_house": "run_maintenance", "kept": "stored", "let_in": "authenticate", "lit": "highlighted", "not_too_often": "enforce_rate_limit",
    "ours": "typeset", "said": "message", "saying": "claim", "see_off": "purge", "since": "document_changes", "so": "is_...",
    "sought": "link_target", "squeezing": "compression", "such": "a noun", "taking": "quote_export", "telling": "answer_stream",
    "told": "message", "whoever": "caller",
}  # fmt: skip
# Nouns, adjectives and standard terms that end like participles.
NOT_PARTICIPLES = {
    "batching", "chunking", "embedding", "encoding", "engineering", "grounding", "heading", "hosting", "indexed", "landing",
    "listing", "locking", "logging", "matching", "meaning", "numbering", "parsing", "processing", "rendering", "reading_order",
    "rounding", "routing", "scoring", "signed", "signing", "splitting", "streaming", "string", "tagging", "typesetting", "versioning", "wording",
}  # fmt: skip
# Names in JSON and in signatures that programs of others use: they stay, whatever they are.
PUBLIC_NAMES = {
    "highlighter/schemas/feedback.py": {"lit"},
    "highlighter/client/client.py": {"told"},
    "highlighter/quotes/word_diff.py": {"ours"},
    "highlighter/schemas/quotes.py": {"ours"}, "highlighter/store/index.py": {"heard"},
}  # fmt: skip
ARTICLES_AND_KIN = {
    "a",
    "an",
    "the",
    "one",
    "all",
    "each",
    "every",
    "what",
    "how",
    "where",
    "when",
    "which",
    "whether",
    "no",
    "two",
}
# Words in -s that begin a noun phrase; a docstring's verb stands in the imperative ("Return", not "Returns").
FIRST_WORD = re.compile(r"[`\"'(]*([A-Za-z][\w-]*)")
NOT_FIRST = re.compile(r"^(it|its|he|she|they|them|who|whoever|whose|this|that|these|those|such|so|as|in|on|at|by|of|from|for|to|with|"
                       r"without|less|more|most|if|not|never|once|told|said|kept|lit|made|asked|found|here|there)$", re.I)  # fmt: skip


def python_files(folders: tuple[str, ...]) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(path for path in (ROOT / folder).rglob("*.py") if "__pycache__" not in path.parts)


def find_problems() -> list[str]:
    problems: list[str] = []
    classes: dict[str, list[Path]] = defaultdict(list)
    for path in python_files(ALL_FOLDERS):
        name = path.relative_to(ROOT)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        is_source = name.parts[0] in SOURCE_FOLDERS
        problems += [
            f"{name}:{line}: {problem}" for line, problem in check_names(tree, PUBLIC_NAMES.get(name.as_posix(), set()))
        ]
        if is_source:
            problems += [f"{name}:1: {problem}" for problem in check_module_name(path.stem)]
            problems += [f"{name}:{line}: {problem}" for line, problem in check_docstrings(tree)]
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    classes[node.name].append(name)
    problems += [
        f"{paths[0]}:1: class {name} exists in {', '.join(map(str, paths[1:]))} too"
        for name, paths in sorted(classes.items())
        if len(paths) > 1
    ]
    return problems


def check_names(tree: ast.AST, public_names: set[str]) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
                | ast.arg(arg=name)
            ):
                pass
            case ast.Name(id=name, ctx=ast.Store()):
                pass
            case _:
                continue
        if name not in public_names and (better := BANNED_NAMES.get(name.strip("_"))):
            yield node.lineno, f"{name} is a private word: {better}, or what it is"


def check_module_name(stem: str) -> Iterator[str]:
    if better := BANNED_NAMES.get(stem.strip("_")):
        yield f"module {stem} is named by a private word: {better}"
    elif re.fullmatch(r"[a-z]+(ing|ed)", stem) and stem not in NOT_PARTICIPLES:
        yield f"module {stem} is named by a participle; a noun is wanted"


def check_docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        docstring = ast.get_docstring(node)
        if not docstring:
            continue
        line = node.body[0].lineno
        first = FIRST_WORD.match(docstring)
        if first and first[1].lower() not in ARTICLES_AND_KIN and NOT_FIRST.match(first[1]):
            yield line, f"a docstring begins with {first[1]!r}; a verb or an article is wanted"


def main() -> int:
    problems = find_problems()
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
