"""Pairs made from judged passages and claims: sentences quoted from their place, from elsewhere, and altered."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from highlighter.evidence.judged_passages import JudgedPassage
from highlighter.grounding.statements import split_statements
from highlighter.text.sentences import split_sentences
from highlighter.text.terms import is_cjk
from training.claims.judged_claims import JudgedClaim
from training.entailment.judged_pairs import CONTRADICTED, ENTAILED, NEUTRAL, NOT_ENTAILED, JudgedPair
from training.meaning_changes import change_number

MIN_CHARACTERS, MAX_CHARACTERS = 12, 260
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,.]*(?![\w])|(?<=[一-鿿])\d[\d,.]*\d(?=[一-鿿])|(?<=[一-鿿])\d(?=[一-鿿])")
# Words whose exchange turns a Chinese sentence around, in both scripts.
_OPPOSITES = (
    ("增加", "減少"), ("增加", "减少"), ("上升", "下降"), ("同意", "反對"), ("同意", "反对"), ("勝利", "失敗"), ("胜利", "失败"),
    ("之前", "之後"), ("之前", "之后"), ("最大", "最小"), ("最高", "最低"), ("早於", "晚於"), ("早于", "晚于"), ("允許", "禁止"),
    ("允许", "禁止"), ("開始", "結束"), ("开始", "结束"), ("支持", "反對"), ("支持", "反对"), ("東部", "西部"), ("东部", "西部"),
    ("北部", "南部"), ("成功", "失敗"), ("成功", "失败"), ("出生", "去世"), ("第一", "第三"), ("全部", "部分"), ("多於", "少於"),
)  # fmt: skip
_NEGATIONS = (
    ("是", "不是"),
    ("可以", "不可以"),
    ("曾", "未曾"),
    ("能", "不能"),
    ("會", "不會"),
    ("会", "不会"),
    ("有", "沒有"),
)


def make_from_passages(passages: Sequence[JudgedPassage], rng: random.Random) -> Iterator[JudgedPair]:
    """Yield for each passage a sentence in its place, one from elsewhere, and an altered one."""
    for passage in passages:
        sentences = passage.sentences
        usable = [i for i, text in enumerate(sentences) if MIN_CHARACTERS <= len(text) <= MAX_CHARACTERS]
        if len(sentences) < 4 or not usable:
            continue
        index = rng.choice(usable)
        language = "zh" if is_cjk(sentences[index][:40]) else "other"
        window, place = choose_window(sentences, index, rng)

        def pair(kind: str, claim: str, text: Sequence[str], label: str, carried_by=None, language=language):
            return JudgedPair("passages", kind, claim, tuple(text), label, carried_by, language, language)

        draw = rng.random()
        if draw < 0.35:
            yield pair("quoted", sentences[index], window, ENTAILED, (place,))
        elif draw < 0.6:
            elsewhere = [text for i, text in enumerate(sentences) if abs(i - index) > 1][:3]
            if elsewhere and sentences[index] not in elsewhere:
                yield pair("elsewhere", sentences[index], elsewhere, NEUTRAL, ())
        elif altered := alter_sentence(sentences[index], rng):
            yield pair("altered", altered, window, CONTRADICTED, (place,))


def choose_window(sentences: Sequence[str], index: int, rng: random.Random) -> tuple[list[str], int]:
    """Return a sentence with its neighbours, often among other threes of its text as the checker reads them, and its place."""
    others = [rng.randrange(len(sentences)) for _ in range(rng.choice((0, 1, 2, 2)))]
    chosen = sorted({i for o in (index, *others) for i in (o - 1, o, o + 1) if 0 <= i < len(sentences)})
    return [sentences[i] for i in chosen], chosen.index(index)


def alter_sentence(text: str, rng: random.Random) -> str | None:
    """Return a sentence that says something else by one number, opposite or negation; None where there is no such."""
    numbers = list(_NUMBER.finditer(text))
    swaps = [(a, b) for pair in _OPPOSITES for a, b in (pair, pair[::-1]) if text.count(a) == 1]
    negations = [(a, b) for a, b in _NEGATIONS if text.count(a) == 1 and b not in text] if is_cjk(text[:40]) else []
    ways = ["number"] * bool(numbers) + ["swap"] * bool(swaps) + ["negation"] * bool(negations)
    if not ways:
        return None
    way = rng.choice(ways)
    if way == "number":
        match = rng.choice(numbers)
        return text[: match.start()] + change_number(rng, match.group()) + text[match.end() :]
    old, new = rng.choice(swaps if way == "swap" else negations)
    return text.replace(old, new)


# Exchanges that leave a sentence saying the same.
_RESTATEMENTS = tuple(
    (re.compile(pattern), new)
    for pattern, new in (
        (r"\bshall not\b", ("must not", "may not")), (r"\bshall\b(?! not)", ("must",)),
        (r"\bmust\b", ("shall",)), (r"\bmay\b(?= [a-z])(?! not| have| be )", ("can",)),
        (r"(?<=\d) per cent\b", ("%", " percent")), (r"(?<=\d)%", (" per cent", " percent")),
        (r"\bprior to\b", ("before",)), (r"\bat least (?=\d)", ("no less than ", "a minimum of ")),
        (r"\bup to (?=[\d€£$])", ("at most ",)), (r"(?<!no )(?<!not )\bmore than (?=\d)", ("over ",)),
        (r"\bno later than\b", ("at the latest by",)), (r"\bapproximately\b", ("about",)),
        (r"\babout (?=\d)", ("some ", "around ")), (r"\bhowever, ", ("",)), (r"\bcommence\b", ("begin", "start")),
        (r"\bterminate\b", ("end",)), (r"\bwas not\b", ("wasn't",)), (r"\bdoes not\b", ("doesn't",)),
        (r"\bcannot\b", ("can not", "can't")), (r"\bin order to\b", ("to",)),
    )
)  # fmt: skip
_NUMERALS = {
    word: str(number)
    for word, number in zip(
        "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty".split(),
        (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 20, 30, 40, 50, 60),
        strict=True,
    )
}
_NUMERALS |= {digits: word for word, digits in _NUMERALS.items()}
_NUMERAL = re.compile(rf"(?<![€£$.,:/\d-])\b({'|'.join(_NUMERALS)})\b(?![-.,:/]\d|-| ?%| per)")
# In a sentence without these words, what is left when a place, a time or an aside is cut out is still true.
_NARROWING_WORDS = re.compile(
    r"\b(?:not|no|nor|none|never|nothing|nobody|neither|without|only|unless|except|if|whether|every|each|all|any|few|fewer|less"
    r"|least|most|until|before|may|might|can|cannot|must|shall|should|would|could|either|or|than|as|because|refus\w+|den\w+"
    r"|prohibit\w*|forb\w+|bann?\w*|fail\w*|doubt\w*|allege\w*|claim\w*|said|says|deadline)\b|n[’']t\b|[\"“”]",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r" \([^()]{2,60}\)|, (?:which|who|whose|where) [^,.;]{5,80},(?= )"
    r"|,? \b(?:in|on|at|from|with|by|for|during|after|near|through|into|across) (?:[\w’'-]+ ){0,4}?[\w’'-]+"
    r"(?=[,.;]| (?:in|on|at|from|with|by|for|during|after|near|through|into|across)\b)"
)
_OPENINGS = ("According to the text, ", "The text says that ", "The document states that ", "It is stated that ")


def reword_sentence(text: str, rng: random.Random) -> str | None:
    """Return an English sentence that says the same in slightly other words; None where no rule applies."""
    exchanges = [(pattern, new) for pattern, new in _RESTATEMENTS if pattern.search(text)]
    restated = text
    for pattern, new in rng.sample(exchanges, min(len(exchanges), rng.choice((1, 2, 3)))):
        restated = pattern.sub(rng.choice(new), restated, count=1)
    if rng.random() < 0.8:
        restated = _NUMERAL.sub(lambda match: _NUMERALS[match.group()], restated)
    first, space, rest = restated.partition(" ")
    if first in _LOWERED and rng.random() < 0.25:
        restated = rng.choice(_OPENINGS) + first.lower() + space + rest
    return restated if restated != text else None


def shorten_sentence(text: str, rng: random.Random) -> str | None:
    """Return an English sentence without a place, a time or an aside, which it entails; None where that is not sure."""
    if _NARROWING_WORDS.search(text):
        return None
    statements = split_statements(text)
    if len(statements) > 1 and rng.random() < 0.5:
        chosen = rng.choice(statements)
        return chosen[0].upper() + chosen[1:].rstrip(".") + "."
    asides = [match for match in _ASIDE.finditer(text) if match.start() > 20]
    if not asides:
        return None
    chosen = rng.choice(asides)
    return text[: chosen.start()] + text[chosen.end() :]


def make_shortened(pairs: Sequence[JudgedPair], rng: random.Random) -> Iterator[JudgedPair]:
    """Yield quoted English sentences with less in them."""
    for pair in pairs:
        if pair.kind == "quoted" and pair.claim.isascii() and (shortened := shorten_sentence(pair.claim, rng)):
            yield replace(pair, kind="shortened", claim=shortened)


def make_restated(pairs: Sequence[JudgedPair], rng: random.Random) -> Iterator[JudgedPair]:
    """Yield quoted English sentences in slightly other words."""
    for pair in pairs:
        if pair.kind == "quoted" and pair.language == "en" and (restated := reword_sentence(pair.claim, rng)):
            yield replace(pair, kind="restated", claim=restated)


def make_from_claims(claims: Sequence[JudgedClaim]) -> Iterator[JudgedPair]:
    """Yield judged claims with the sentences of their page that share most words, and those beside them."""
    for claim in claims:
        sentences = [span.text for span in split_sentences(claim.context)]
        words = _words(claim.text)
        shared = [len(words & _words(text)) / (len(_words(text)) + 8) for text in sentences]
        best = sorted(range(len(sentences)), key=lambda i: -shared[i])[:3]
        chosen = sorted({i for b in best for i in (b - 1, b, b + 1) if 0 <= i < len(sentences)})[:7]
        label = ENTAILED if claim.holds else CONTRADICTED if claim.kind == "contradicted" else NOT_ENTAILED
        text = tuple(sentences[i] for i in chosen)
        yield JudgedPair(claim.set, claim.kind, claim.text, text, label, None, "en", "en")


def make_unrelated(pairs: Sequence[JudgedPair], rng: random.Random) -> Iterator[JudgedPair]:
    """Yield claims with sentences that say nothing of them: of another text, and those of their own that do not decide.

    Without these, a model learns from our own lessons that a claim in other words than its text is true.
    """
    by_language: dict[str, list[JudgedPair]] = defaultdict(list)
    for pair in pairs:
        by_language[pair.language].append(pair)
    for pair in pairs:
        if pair.carried_by is None:
            continue
        rest = [text for index, text in enumerate(pair.sentences) if index not in pair.carried_by]
        if pair.carried_by and rest and rng.random() < 0.5:
            text = rng.sample(rest, rng.randint(1, min(2, len(rest))))
            kind = "undecided"
        else:
            other = rng.choice(by_language[pair.language])
            if other.sentences == pair.sentences:
                continue
            text = rng.sample(other.sentences, rng.randint(1, min(3, len(other.sentences))))
            kind = "unrelated"
        yield replace(pair, kind=kind, sentences=tuple(text), label=NEUTRAL, carried_by=())


_LOWERED = (
    "The",
    "A",
    "An",
    "It",
    "They",
    "This",
    "These",
    "No",
    "All",
    "If",
    "Each",
    "Every",
    "Only",
    "In",
    "On",
    "After",
)


def join_claims(pairs: Sequence[JudgedPair], rng: random.Random) -> Iterator[JudgedPair]:
    """Yield claims of one text joined in one sentence: true when both are, contradicted when one of them is."""
    by_text: dict[tuple, list[JudgedPair]] = defaultdict(list)
    for pair in pairs:
        by_text[pair.sentences, pair.claim_language].append(pair)
    for group in by_text.values():
        for first in group:
            # Mostly with a true one, so that true sentences are as many as those of which one half is wrong.
            wanted = (
                group if first.label == ENTAILED and rng.random() < 0.3 else [p for p in group if p.label == ENTAILED]
            )
            second = rng.choice(wanted) if wanted else first
            if second is first or len(first.claim) + len(second.claim) > MAX_CHARACTERS:
                continue
            first, second = rng.sample((first, second), 2)
            labels = {first.label, second.label}
            label = next(label for label in (CONTRADICTED, NEUTRAL, ENTAILED) if label in labels)
            deciding = [pair.carried_by or () for pair in (first, second) if pair.label == label]
            yield replace(
                first,
                kind="joined",
                claim=_join(first.claim, second.claim, rng),
                label=label,
                carried_by=tuple(sorted({index for indexes in deciding for index in indexes})),
            )


def _join(first: str, second: str, rng: random.Random) -> str:
    first = first.rstrip(".。")
    if is_cjk(first[:1]) or is_cjk(second[:1]):
        return first + rng.choice(("，而且", "，", "；")) + second
    word, space, rest = second.partition(" ")
    if word in _LOWERED and rng.random() < 0.7:
        return first + rng.choice((" and ", ", and ", ", while ")) + word.lower() + space + rest
    return first + rng.choice(("; ", ", and ")) + second


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.lower()))
