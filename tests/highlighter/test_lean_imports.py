"""Tests of which packages nltk may import."""

import subprocess
import sys

PROGRAM = """
import sys
from highlighter.lean_imports import skip_unneeded_imports
skip_unneeded_imports()
from highlighter.text.sentences.punkt import ends_sentence
from highlighter.text.terms import stem_word
print(stem_word("leases"), ends_sentence("e.g.", "the"), ends_sentence("pier.", "The"))
print([name for name in ("scipy", "sklearn") if name in sys.modules])
import importlib.util, scipy
print(scipy.__name__, importlib.util.find_spec("sklearn").name)
"""


def test_nltk_imports_neither_scipy_nor_sklearn_and_others_still_can():
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert run.stdout.splitlines() == ["leas False True", "[]", "scipy sklearn"], run.stderr
