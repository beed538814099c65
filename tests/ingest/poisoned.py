"""python -m tests.ingest.poisoned PATH...: ingestion with one fault, a file with a certain word kills its process."""

from __future__ import annotations

import os
import signal
import sys

import ingest.pipeline

WORD = "poisonous"
_embed = ingest.pipeline.embed


def _deadly(texts, *others):
    if any(WORD in text for text in texts):
        os.kill(os.getpid(), signal.SIGKILL)
    return _embed(texts, *others)


ingest.pipeline.embed = _deadly  # in every process that is spawned from here, too: they import this module again

if __name__ == "__main__":
    from ingest.__main__ import main

    sys.exit(main())
