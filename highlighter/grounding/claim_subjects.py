"""What a claim speaks of, and the documents that mention it: the hours of a wage agreement are not those of "Ms Varga".

Several documents are read together, and the model overlooks that the sentence of one says nothing of what only another one
mentions. Only proper names, names in Chinese or Japanese brackets and titled documents ("the wage agreement") are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from highlighter.evidence.document_names import LEADING_WORDS
from highlighter.grounding.statements import split_statements
from highlighter.grounding.wording import DATE, NUMBER, parse_wording
from highlighter.text.characters import fold
from highlighter.text.language import detect_language
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.party_words import find_party_groups
from highlighter.text.terms import STOP_WORDS, is_cjk, stem_word

MAX_NAMES, MAX_TITLE_CHARACTERS = 4, 200
# Shorter words in capitals are abbreviations, for which a document may have the whole words.
MIN_NAME_CHARACTERS = 5
_WORD = compile_later(r"[^\W_]+(?:[-’'][^\W_]+)*")
_POSSESSIVE = compile_later(r"['’]s?$")
_ELISION = compile_later(r"^[dl]['’]", re.IGNORECASE)
_ARTICLES = frozenset("the a an der die das den dem des le la les l el los las un une una ein eine".split())
_PERSONAL_TITLES = frozenset(
    "mr mrs ms miss dr prof cllr sir lady lord herr herrn frau mme mlle monsieur madame sr sra".split()
)
_BRACKETED_NAME = compile_later(r"[「『《](?P<name>[^」』》。，、]{2,20})[」』》]")
# Between two names of which a claim says the same, or which it compares.
_JOINED = compile_later(
    r"(?:,|\b(?:and|or|than|as|like|und|oder|als|wie|et|ou|que|comme|y|e|o|como))\s(?:(?:of|von|de|in|the|der|die|das|le|la|el)\s){0,2}$|[和与與及、比]$"
)
_DOCUMENTS = (
    r"(?:agreement|contract|lease|policy|guideline|guidelines|act|regulations?|directive|by-?laws?|minutes|report|leaflet|manual|handbook"
    r"|judgment|tender|tariff|patent|treaty|convention|charter|deed|notice|memorandum|trial|study|statement)"
)
_GERMAN_DOCUMENTS = (
    r"(?:vertrag|vertrags|vereinbarung|gesetz|gesetzes|ordnung|richtlinie|leitlinie|satzung|bericht|berichts|protokoll|protokolls|handbuch"
    r"|anleitung|merkblatt|police|urteil|urteils|patent|studie)"
)
_ROMANCE_DOCUMENTS = (
    r"(?:contrat|accord|convention|règlement|directive|rapport|notice|bail|manuel|politique|charte|étude|arrêté"
    r"|contrato|convenio|acuerdo|reglamento|directiva|guía|informe|prospecto|estatuto|estudio|póliza)"
)
# A kind of document, and which one it is: "the wage agreement", "Der Tarifvertrag", "le règlement des frais".
_TITLED_DOCUMENT = compile_later(
    rf"\b(?:the|this) (?P<english>(?:[\w-]+ ){{1,3}}?{_DOCUMENTS})\b"
    rf"|\b(?:der|die|das|dem|des|den|im|vom|zum) (?P<german>[^\W\d_]{{2,}}{_GERMAN_DOCUMENTS})\b"
    rf"|\b(?:le|la|l['’]|el|du|del|au|al) ?(?P<romance>{_ROMANCE_DOCUMENTS} (?:(?:de|du|des|del) (?:la |las |los |les )?|d['’]|de l['’])?[^\W\d_]+)\b"
)


class ClaimedName(NamedTuple):
    """A name in a claim, with the stems by which a document mentions it; `is_title` where a title has to have them."""

    start: int
    end: int
    stems: tuple[str, ...]
    is_title: bool = False


class NamedText(NamedTuple):
    """The texts of a whole document, with its title."""

    written: str
    folded: str
    title: str

    def mentions(self, name: ClaimedName) -> bool:
        """Return whether a document has most words of a name, and all of the title of a document."""
        found = sum(stem in self.folded for stem in name.stems)
        return found == len(name.stems) if name.is_title else found * 2 >= len(name.stems)

    def names(self, name: ClaimedName, claim: str) -> bool:
        """Return whether a document has a name as a claim writes it, or is the document that the claim means."""
        if name.is_title:
            return all(stem in self.title for stem in name.stems)
        return fold(claim[name.start : name.end]) in self.folded


def build_named_text(names: Sequence[str], texts: Sequence[str]) -> NamedText:
    """Return the text of a document for the search of names. The names of its files count, the first one as a title."""
    written = "\n".join((*texts, *names))
    title = "\n".join((next(iter(texts), "").lstrip("#* \n")[:MAX_TITLE_CHARACTERS].split("\n")[0], *names))
    return NamedText(written, fold(written), fold(title))


def find_documents_of_subject(claim: str, documents: Sequence[NamedText]) -> frozenset[int]:
    """Return the positions of the documents that mention what a claim speaks of: all of them where that cannot be told."""
    everything = frozenset(range(len(documents)))
    if len(documents) < 2:
        return everything
    found = [_find_documents_of_statement(text, documents) for text in split_statements(claim) or [claim]]
    named = [positions for positions in found if positions]
    return frozenset().union(*named) if named else everything


def _find_documents_of_statement(claim: str, documents: Sequence[NamedText]) -> frozenset[int]:
    """Return the positions of the documents that mention the names of a statement: of its first name, if none has all."""
    meant = frozenset[int]()
    for name in islice(find_names(claim, documents), MAX_NAMES):
        if not any(document.names(name, claim) for document in documents):
            continue
        having = frozenset(number for number, document in enumerate(documents) if document.mentions(name))
        if meant and not meant & having and _JOINED.search(fold(claim[: name.start])):
            meant |= having
        else:
            meant = (meant & having) or meant or having
    return meant


def find_names(claim: str, documents: Sequence[NamedText]) -> Iterator[ClaimedName]:
    """Yield the names of a claim, those of documents last."""
    for match in _BRACKETED_NAME.finditer(claim):
        yield ClaimedName(*match.span("name"), (fold(match["name"]),))
    yield from _find_proper_names(claim, documents)
    for match in _TITLED_DOCUMENT.finditer(fold(claim)):
        span = next(match.span(group) for group in ("english", "german", "romance") if match[group])
        stems = tuple(stem_word(word) for word in _WORD.findall(fold(claim[slice(*span)])) if word not in STOP_WORDS)
        if len(stems) > 1 or match["german"]:
            yield ClaimedName(*span, stems, is_title=True)


def _find_proper_names(claim: str, documents: Sequence[NamedText]) -> Iterator[ClaimedName]:
    words = [match.span() for match in _WORD.finditer(claim)]
    runs: list[list[tuple[int, int]]] = []
    for before, word in pairwise([(0, 0), *words]):
        written = claim[slice(*word)]
        if (
            not written[0].isupper()
            or is_cjk(written[0])
            or (word[0] == 0 and fold(written) in STOP_WORDS | LEADING_WORDS)
        ):
            continue
        is_next = runs and runs[-1][-1] == before and claim[before[1] : word[0]] in (" ", ". ")
        if is_next and not _POSSESSIVE.search(claim[slice(*before)]):
            runs[-1].append(word)
        else:
            runs.append([word])
    for run in runs:
        start = run[0][0] + (2 if _ELISION.match(claim[slice(*run[0])]) else 0)
        end = run[-1][1]
        end -= len(match[0]) if (match := _POSSESSIVE.search(claim[start:end])) else 0
        texts = [fold(text) for text in _WORD.findall(claim[start:end])]
        named = [text for text in texts if text not in _PERSONAL_TITLES]
        if not named or any(find_party_groups(text) for text in named):
            continue
        if len(texts) > len(named):  # "Ms Varga"
            start = max(start, end - len(" ".join(named)))
        elif len(texts) == 1 and not _is_single_name(claim, start, end, documents):
            continue
        if not any(word.kind in (DATE, NUMBER) for word in parse_wording(claim[start:end]).words):
            yield ClaimedName(start, end, tuple(map(stem_word, named)))


def _is_single_name(claim: str, start: int, end: int, documents: Sequence[NamedText]) -> bool:
    """Return whether a single word with a capital is a proper name: elsewhere, too, and never without the capital.

    In German every noun has a capital, and "the Fund" is what a contract calls one of its parties.
    """
    word = claim[start:end]
    before = _WORD.findall(fold(claim[:start]))
    if end - start < MIN_NAME_CHARACTERS or (before and before[-1] in _ARTICLES) or detect_language(claim) == "de":
        return False
    small = re.compile(rf"\b{re.escape(word[0].lower() + word[1:])}")
    within = re.compile(rf"[a-zß-ÿ,] {re.escape(word)}\b")
    return any(within.search(document.written) for document in documents) and not any(
        small.search(document.written) for document in documents
    )
