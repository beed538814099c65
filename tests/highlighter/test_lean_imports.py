"""Tests of which packages others may import in the processes of Highlighter."""

import subprocess
import sys

PROGRAM = """
import sys
from highlighter.lean_imports import skip_unneeded_imports
skip_unneeded_imports()
from highlighter.text.sentences.punkt import ends_sentence
from highlighter.text.terms import stem_word
print(stem_word("leases"), ends_sentence("e.g.", "the"), ends_sentence("pier.", "The"))
import httpx, tenacity
print([name for name in ("scipy", "sklearn", "click", "pygments", "rich", "tornado") if name in sys.modules])
import importlib.util, scipy
print(scipy.__name__, *(importlib.util.find_spec(name).name for name in ("sklearn", "rich", "tornado")))
print(httpx.Client().get.__name__, tenacity.retry(lambda: 3)())
"""


def test_unneeded_packages_are_not_imported_and_others_still_can_import_them():
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert run.stdout.splitlines() == ["leas False True", "[]", "scipy sklearn rich tornado", "get 3"], run.stderr
