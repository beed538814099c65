"""Decomposition of questions in German, French, Spanish, Italian, Dutch, Portuguese and Japanese by rules.

A question is split where a second one begins, and each half asks something: "Wann ist die Feier, und was kostet sie?". Nothing
is completed: where the second half refers to something in the first, the question stays whole.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from highlighter.text.language import detect_language, get_base_language


class QuestionWords(NamedTuple):
    """The words of one language that tell where a question begins, as patterns."""

    conjunctions: str
    question_words: str
    prepositions: str  # before a question word: "bis wann", "per quanto tempo"
    references: str  # to what was said before


_LANGUAGES = {
    "de": QuestionWords(
        "und|sowie",
        r"wie viele?|wie (?:lange|oft|hoch)|was|wer|wem|wen|wessen|wann|wo|woher|wohin|wie|warum|weshalb|wieso|wo(?:mit|für|von|durch|bei|gegen|rauf|rin|ran)|welche[rsmn]?",
        "ab|bis|seit|für|in|mit|von|zu|an|auf|bei|nach|durch|um|gegen|aus|über|pro",
        "er|ihn|ihm|sie|es|ihr|ihre[rsmn]?|seine?[rsmn]?|dort|dabei|dafür|davon|damit|dazu|darin|darauf|diese[rsmn]?|deren|dessen|denen"
        # As pronouns, without a noun behind them.
        r"|(?:das|der|die|dem|den)(?=(?-i:[^A-ZÄÖÜ]*)$|\s+(?:ab|bis|seit|für|in|mit|von|zu|an|auf|bei|nach|pro)\b)",
    ),
    "fr": QuestionWords(
        "et|ainsi que",
        r"qui|que|qu['’]est-ce|quand|où|comment|pourquoi|combien de|combien|quel(?:le)?s?|lequel|laquelle",
        "à|de|d['’]|depuis|jusqu['’]à|par|pour|avec|dans|en|sur|chez|sous|à partir de",
        "il|elle|ils|elles|ce|y|en|lui|leur|leurs|celui-ci|celle-ci|cette?|ces|ça|cela|dont|son|sa|ses|-t-il|-t-elle|-il|-elle|-ils|-elles",
    ),
    "es": QuestionWords(
        "y|e|así como",
        "qué|quién(?:es)?|cuál(?:es)?|cuándo|cuánt[oa]s?|dónde|adónde|cómo",
        "a|de|desde|hasta|por|para|con|en|sobre|según",
        "él|ella|ellos|ellas|ello|lo|su|sus|este|esta|estos|estas|esto|ese|esa|eso|allí|ahí",
    ),
    "it": QuestionWords(
        "e|ed|nonché",
        "chi|che cosa|cosa|quando|dove|come|perché|quant[oaie]|qual[ei]?",
        "a|di|da|in|con|su|per|fino a|entro|presso",
        "lui|lei|loro|esso|essa|essi|esse|suo|sua|suoi|sue|questo|questa|questi|queste|quello|quella|ciò|ne|lì|là|ci",
    ),
    "pt": QuestionWords(
        "e|bem como",
        "quem|quando|onde|aonde|como|quant[oa]s?|qual|quais|por que|porque|o que|que",
        "a|de|desde|até|por|para|com|em|sobre|segundo",
        "ele|ela|eles|elas|seu|sua|seus|suas|este|esta|isto|esse|essa|isso|lá|ali|dele|dela|deles|delas",
    ),
    "nl": QuestionWords(
        "en|alsook",
        "hoe (?:lang|vaak|veel)|wat|wie|wanneer|waar(?:om|mee|voor|van|bij|op|in)?|hoe|hoeveel|hoelang|welke?",
        "aan|bij|door|in|met|na|naar|om|op|over|sinds|tot|uit|van|vanaf|voor",
        "hij|hem|zij|ze|het|haar|hun|zijn|daar|daarvoor|daarmee|daarbij|die|dat|deze|dit|er",
    ),
}
_JAPANESE_QUESTION_WORD = r"(?:何|なに|なん|いつ|どこ|だれ|誰|どれ|どの|どんな|いくら|いくつ|なぜ|どう)"
_JAPANESE_REFERENCE = r"^(?:それ|その|これ|この|そこ|ここ|彼|あれ)"
MIN_WORDS = 3  # of each half
_BEFORE_NOUN = re.compile("welch|wie|quel|combien|cuál|cuánt|qué|quant[oaie]|qual|welk|hoe", re.I)
_FORM_OF_BE = "ist|sind|war|waren|est|sont|es|son|è|sono|é|são|is|zijn"


def is_covered(question: str) -> bool:
    """Return whether these rules know the language of a question."""
    language = get_base_language(detect_language(question))
    return language == "ja" or language in _LANGUAGES


def split_question(question: str, max_questions: int) -> list[str]:
    """Split a question into sub-questions."""
    language = get_base_language(detect_language(question))
    parts: list[str] = []
    for sentence in re.findall(r"[^?？]+[?？]*", question):
        if re.search(r"\w", sentence):
            words = _LANGUAGES.get(language)
            parts += _split_coordination(sentence.strip(), words) if words else _split_japanese(sentence.strip())
    return parts[:max_questions]


def _split_coordination(sentence: str, words: QuestionWords) -> list[str]:
    asking = rf"(?:(?P<preposition>{words.prepositions})\s*)?(?P<question_word>{words.question_words})\b"
    text = sentence.rstrip(" ?？")
    pieces, start = [], 0
    beginning = re.compile(rf"(?:,?\s+(?:{words.conjunctions})\s+|,\s+)(?={asking})", re.I)
    for cut in beginning.finditer(text):
        left, right = text[start : cut.start()], text[cut.end() :]
        if (
            _can_have_verb(left, asking, words)
            and _can_have_verb(beginning.split(right)[0], asking, words)
            and min(len(left.split()), len(right.split())) >= MIN_WORDS
            and not re.search(rf"(?<![\w'’])(?:{words.references})(?!\w)", right, re.I)
        ):
            pieces.append(left)
            start = cut.end()
    if not pieces:
        return [sentence]
    return [_format_question(piece, sentence) for piece in [*pieces, text[start:]]]


def _can_have_verb(piece: str, asking: str, words: QuestionWords) -> bool:
    """Return whether a piece begins with a question word and says more than it asks for: "zu welchem Preis pro Person" does not."""
    match = re.match(rf"[¿\s]*{asking}\s+(?P<first>\S+)\s+(?P<next>\S+)(?P<rest>.*)", piece, re.I)
    if match is None:
        return False
    # "Zu welchem günstigsten Preis", "à quel prix total".
    if match["preposition"] and _BEFORE_NOUN.match(match["question_word"]) and not match["rest"].strip():
        return False
    is_preposition = re.fullmatch(words.prepositions, match["next"], re.I)
    return not is_preposition or re.fullmatch(_FORM_OF_BE, match["first"], re.I) is not None


def _split_japanese(sentence: str) -> list[str]:
    text = sentence.rstrip(" ?？。")
    pieces, start = [], 0
    for cut in re.finditer("[、，]", text):
        left, right = text[start : cut.start()], text[cut.end() :]
        clause = re.split("[、，]", right)[0]
        if (
            re.search(_JAPANESE_QUESTION_WORD, left)
            and re.search(_JAPANESE_QUESTION_WORD, clause)
            and "は" in clause
            and not re.match(_JAPANESE_REFERENCE, clause)
        ):
            pieces.append(left)
            start = cut.end()
    return [f"{piece}？" for piece in [*pieces, text[start:]]] if pieces else [sentence]


def _format_question(piece: str, sentence: str) -> str:
    piece = piece.strip(" ,¿")
    opening = "¿" if "¿" in sentence else ""
    closing = " ?" if re.search(r"\s\?", sentence) else "?"
    return f"{opening}{piece[:1].upper()}{piece[1:]}{closing}"
