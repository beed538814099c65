"""Questions to begin with: about headings of the reader's own documents, or the sample questions while there are no others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice, zip_longest
from pathlib import PurePosixPath

from highlighter.locale import gettext
from highlighter.models import Document
from highlighter.store.catalog import Catalog
from highlighter.store.lookup import list_headings
from highlighter.text.language import detect_language, get_base_language
from highlighter.web.pages.sample_questions import is_in_language_of_page, is_sample, suggest_questions

MAX_SUGGESTED_QUESTIONS = 6
MAX_READ_DOCUMENTS = 20  # whose headings are read
MAX_HEADINGS = 4  # of one document
MAX_NAME_CHARACTERS = 40
_NUMBERING = re.compile(
    r"^(?:(?:article|section|chapter|part|clause|annex|appendix)\s+)?[\divxlc]+(?:[.\-)][\da-z]*)*[.):]?\s+|^[a-z][.)]\s+",
    re.IGNORECASE,
)
_CJK_NUMBERING = re.compile(r"^(?:第?[一二三四五六七八九十百\d]+[章節节條条部]?[、.．:：\s]+)")
_QUESTION_MARKS = ("?", "？", "؟")
_TOPIC = re.compile(r"[^\W\d_][\w\s,'’&\-]*[^\W_]")
_GENERAL_HEADINGS = frozenset(
    "abstract appendix background conclusion conclusions contents definitions foreword general index introduction notes overview"
    " preface references schedule summary abstrakt 目錄 目录 前言 引言 總則 总则 附錄 附录 摘要 結論 结论".split()
) | {"table of contents", "list of figures", "list of tables"}


def suggest_for_documents(catalog: Catalog, documents: Sequence[Document]) -> list[str]:
    """Return questions about the given documents, the latest first.

    Where any is about a heading in the reader's language, no others are returned.
    """
    own = [document for document in documents if not is_sample(document.sha256)]
    if not own:
        return suggest_questions([document.sha256 for document in documents], MAX_SUGGESTED_QUESTIONS)
    found = (
        [(document, topic) for topic in islice(_list_topics(catalog, document), MAX_HEADINGS)]
        for document in own[:MAX_READ_DOCUMENTS]
    )
    pairs = chain.from_iterable(zip_longest(*islice(filter(None, found), MAX_SUGGESTED_QUESTIONS)))
    distinct = {topic.casefold(): (document, topic) for document, topic in filter(None, pairs)}.values()
    in_language = [pair for pair in distinct if is_in_language_of_page(pair[1])]
    return [_phrase_question(*pair) for pair in (in_language or list(distinct))[:MAX_SUGGESTED_QUESTIONS]]


def _phrase_question(document: Document, topic: str) -> str:
    if topic.endswith(_QUESTION_MARKS):
        return topic
    name = PurePosixPath(document.name).stem
    name = name if len(name) <= MAX_NAME_CHARACTERS else f"{name[: MAX_NAME_CHARACTERS - 1]}…"
    return gettext("What does “{name}” say about {topic}?").format(name=name, topic=topic)


def _list_topics(catalog: Catalog, document: Document) -> Iterator[str]:
    """Yield the headings of a document that say what stands below them."""
    headings = list_headings(catalog.engine, document)
    levels = Counter(level for _, level in headings)
    # A heading that stands alone above all others is the title of the document.
    has_title = bool(headings) and headings[0][1] == min(levels) and levels[headings[0][1]] == 1
    for heading in dict.fromkeys(heading for heading, _ in headings[has_title:]):
        topic = _CJK_NUMBERING.sub("", _NUMBERING.sub("", heading.strip())).strip(" .:：。")
        if _is_topic(topic) and not _is_in_name(topic, document.name):
            yield topic.lower() if topic.isupper() else topic


def _is_topic(heading: str) -> bool:
    heading = heading.strip(" ?？؟¿")
    if not _TOPIC.fullmatch(heading) or heading.casefold() in _GENERAL_HEADINGS:
        return False
    if get_base_language(detect_language(heading)) in ("zh", "ja"):
        return 3 <= len(heading) <= 20
    return 2 <= len(heading.split()) <= 7 and len(heading) <= 60


def _is_in_name(heading: str, name: str) -> bool:
    """Return whether a heading is the title that the file is named by: it would ask what the whole document says."""
    heading, name_words = heading.casefold(), PurePosixPath(name).stem.casefold().split()
    is_part = all(word in name.casefold() for word in heading.split())
    return is_part or (len(name_words) > 1 and all(word in heading for word in name_words))
