"""A start-up module of Python: in every process with this folder on its path, embedding a certain word kills it."""

from __future__ import annotations

import os
import signal
import sys
from importlib.abc import MetaPathFinder
from importlib.util import find_spec

WORD = "poisonous"


class Poison(MetaPathFinder):
    """An import hook that changes `ingest.embedding`."""

    def find_spec(self, name, path, target=None):
        if name != "ingest.embedding":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            module.embed_sentences = _make_deadly(module.embed_sentences)

        spec.loader.exec_module = exec_module
        return spec


def _make_deadly(embed):
    def deadly(texts, *others):
        if any(WORD in text for text in texts):
            os.kill(os.getpid(), signal.SIGKILL)
        return embed(texts, *others)

    return deadly


sys.meta_path.insert(0, Poison())
