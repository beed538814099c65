"""python -m bench.reading.marking DOCS FILE PAGE SENTENCES: store the marks of a page whose text may not be stored.

SENTENCES is a text file with what a person marked on the page, a sentence on each line, headings and table rows too.
Sentences that begin on the page before are left out, those that end on the next page are whole.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

from bench.reading.marks import REAL_PAGES, digest_sentence


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.reading.marking", description=__doc__)
    parser.add_argument("docs", type=Path)
    parser.add_argument("file", help="the path of the PDF within the folder")
    parser.add_argument("page", type=int)
    parser.add_argument("sentences", type=Path)
    options = parser.parse_args()
    sentences = [line for line in options.sentences.read_text(encoding="utf-8").splitlines() if line.strip()]
    page = {
        "file": options.file,
        "sha256": hashlib.sha256((options.docs / options.file).read_bytes()).hexdigest(),
        "page": options.page,
        "sentences": list(map(digest_sentence, sentences)),
    }
    pages = json.loads(REAL_PAGES.read_text(encoding="utf-8"))
    others = [other for other in pages if (other["sha256"], other["page"]) != (page["sha256"], page["page"])]
    ordered = sorted([*others, page], key=lambda one: (one["file"], one["page"]))
    REAL_PAGES.write_text(
        "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in ordered) + "\n]\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
