"""Words and endings that negate or restrict what a sentence says, by language.

The languages are searched together, so a word that is common in another language is left out where its own language
nearly always has a second negation beside it (Italian "mai", Polish "nic").
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from rapidfuzz.distance import Prefix

from highlighter.text.language import detect_language
from highlighter.text.lazy_pattern import compile_later

NEGATION = "¬"  # each negation counts as this; a restricting word counts as itself

# Marks that belong to the letter before them; Python's \w holds none of them.
COMBINING_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4"
    "\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962\u0963"
)

_NEGATIONS = {
    "en": "no not never none nor neither nobody nothing nowhere without cannot cant wont dont doesnt didnt isnt arent wasnt"
    " werent hasnt havent hadnt shouldnt wouldnt couldnt mustnt shant neednt",
    "de": "nicht nichts nie niemals niemand niemandem niemanden nirgends nirgendwo keinesfalls keineswegs kein keine keiner"
    " keines keinem keinen keinerlei weder ohne",
    "fr": "ne pas non jamais rien aucun aucune aucuns aucunes nul nulle nullement ni sans guère",
    "es": "no nunca jamás nada nadie ningún ninguno ninguna ni sin tampoco",
    "pt": "não nunca jamais nada ninguém nenhum nenhuma nenhuns nenhumas nem sem tampouco",
    "it": "non né niente nulla nessun nessuno nessuna neanche nemmeno neppure senza",
    "nl": "niet geen nooit nimmer niemand niets nergens noch zonder",
    "ru": "не ни нет нельзя никогда никто никого никому никем ничто ничего ничем ничему никакой никакая никакое никакие никаких"
    " никакого никакой никакому никаким нигде никак без",
    "pl": "nie ani nigdy nikt nikogo nikomu żaden żadna żadne żadnego żadnej żadnych żadnym bez",
    "tr": "değil değildir yok yoktur hiç hiçbir asla olmadan olmaksızın",
    "ar": "لا لم لن ليس ليست ليسوا لسنا لست غير ألا إلا لئلا عدم بدون دون بلا",
    "fa": "نه نیست نیستند نیستیم نباید نبود نبودند نشد نمی هیچ هرگز بدون بی عدم",
    "he": "לא אין אינו אינה אינם אינן איני אל בלי ללא לבל בלתי מבלי",
    "hi": "नहीं न ना मत बिना बगैर रहित",
    "vi": "không chưa chẳng chả đừng chớ bất vô phi",
    "id": "tidak tak tiada bukan belum jangan tanpa",
}  # fmt: skip
# The negations among them that negate the words behind them alone, and not what the sentence says.
NEGATING_PREPOSITIONS = frozenset("without ohne sans sin sem senza zonder без bez بدون دون بلا ללא בלי tanpa".split())
# Exchanging or dropping one of these changes what a sentence says.
_RESTRICTIONS = {
    "en": "may shall must should before after more less least most above below over under only solely exclusively except unless minimum"
    " maximum increase increases increased decrease decreases decreased include includes including exclude excludes excluding"
    " always all every",
    "de": "nur lediglich ausschließlich ausschliesslich außer ausser mindestens höchstens vor nach über unter mehr weniger immer"
    " alle jeder jede jedes darf dürfen muss müssen soll sollen kann können",
    "fr": "seulement uniquement exclusivement sauf hormis excepté moins plus avant après toujours tous toutes chaque doit doivent peut"
    " peuvent maximum minimum",
    "es": "solo sólo solamente únicamente exclusivamente salvo excepto menos más antes después siempre todos todas cada debe"
    " deben debe deberá deberán puede pueden podrá podrán",
    "pt": "só somente apenas unicamente exclusivamente salvo exceto menos mais antes depois após sempre todos todas cada deve devem"
    " deverá pode podem poderá",
    "it": "solo soltanto solamente unicamente esclusivamente salvo tranne eccetto meno più prima dopo sempre tutti tutte ogni deve"
    " devono può possono",
    "nl": "alleen slechts uitsluitend tenzij behalve minder meer minstens hoogstens voor na altijd alle elke moet moeten mag mogen",
    "ru": "только лишь исключительно кроме менее более до после всегда все каждый должен должна должно должны может могут вправе"
    " обязан обязана обязано обязаны",
    "pl": "tylko jedynie wyłącznie chyba oprócz mniej więcej przed po zawsze wszyscy wszystkie każdy musi muszą może mogą",
    "tr": "yalnızca yalnız sadece ancak hariç dışında fazla önce sonra daima",
    "ar": "فقط سوى قبل بعد أقل أكثر دائما كل يجب يجوز",
    "fa": "فقط تنها مگر جز قبل پس کمتر بیشتر همیشه هر باید",
    "he": "רק בלבד אלא למעט פחות יותר לפני אחרי תמיד כל חייב רשאי",
    "hi": "केवल सिर्फ सिवाय पहले बाद कम अधिक हमेशा सभी प्रत्येक",
    "vi": "chỉ trừ trước sau ít nhiều luôn tất mọi phải",
    "id": "hanya kecuali sebelum sesudah setelah kurang lebih selalu semua setiap wajib harus boleh",
}  # fmt: skip
# One letter of Arabic and Hebrew writing is joined to the word that follows it: "and", "so that", "by".
_JOINED = {"ar": ("و", "ف", "ب", "أ", "وب", "ال"), "he": ("ו", "ש", "וש", "כש", "ב"), "fa": ("و",)}

# A word with one of these in front of it says the opposite.
NEGATING_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis")
_OTHER_PREFIXES = (
    "on",
    "nicht",
    "des",
    "dé",
    "niet",
    "nie",
    "bez",
    "не",
    "ни",
    "без",
    "ن",
    "نا",
    "بی",
    "غیر",
    "अ",
    "अन",
    "ना",
)
_ALL_PREFIXES = tuple(unicodedata.normalize("NFD", prefix) for prefix in (*NEGATING_PREFIXES, *_OTHER_PREFIXES))

CHINESE_NEGATIONS = "不没无非未勿莫否毋唔冇"
CHINESE_RESTRICTIONS = "仅只必须应可除"
# Japanese and Korean negate by endings and by single syllables, so they are sought among the letters.
_JAPANESE_NEGATIONS = r"な(?:い|かっ|けれ|く(?=[なてと、。 ]|$))|ませ(?=ん)|まい(?=[。、 ]|$)|ざる|[ずぬ](?=[、。に ]|$)|なし(?=[、。でにの ]|$)"
_JAPANESE_RESTRICTIONS = "のみ|だけ|しか|限り"
_KOREAN_NEGATIONS = r"않|못|없|아니|(?<!\w)안(?=\s)|지\s?말|(?<!\w)[불비미무](?=[가-힣]{2})"
_KOREAN_RESTRICTIONS = r"오직|다만|(?<=[가-힣])만(?=\s|$)|이[상하내]|미만|초과|제외|모두|항상"
_ENDINGS = compile_later(
    f"(?P<negation>{_JAPANESE_NEGATIONS}|{_KOREAN_NEGATIONS})|{_JAPANESE_RESTRICTIONS}|{_KOREAN_RESTRICTIONS}"
)
_HAS_ENDINGS = compile_later("[\u3040-\u30ff\uac00-\ud7af]")
# The ending of a Turkish verb that denies what the same verb says without it: "ödenir", "ödenmez".
_TURKISH_NEGATION = compile_later(r"[eaıiuü]?m(?:[ae](?:z|d[ıi]|y|k|s|m)|[ıiuü]yor)")
_TURKISH_LETTERS = frozenset("ığşİĞŞ")
MIN_TURKISH_STEM = 2
# A negation that follows a quote at once, where the verb that it negates is in the quote.
_NEGATION_AFTER_VERB = compile_later(
    r"な[いかけく]|(?:ませ|せ)ん|ず(?=[、。に ]|$)|ざる|\s?(?:않|못|없|아니|말(?=[고아것\s]))"
)

_CLAUSE_END = r"\s*(?:[,;:.!?()\"،؛؟।。，；：、！？）」』]|\Z)"
_NEGATED_BEFORE = compile_later(rf"(?:[{CHINESE_NEGATIONS}]有?|并[非未无])\Z")
_WORD_BEFORE = compile_later(
    rf"(?P<begin>\A|[\n.!?:)\d。？！：؟।]\s*|\n\s*)(?P<words>(?:(?:please )?do )?(?P<word>(?:[^\W\d_]|[{COMBINING_MARKS}'])+))\s+\Z"
)
_WORD_AFTER = compile_later(rf"\s+(?P<word>(?:[^\W\d_]|[{COMBINING_MARKS}'])+){_CLAUSE_END}")

_ARABIC_MARKS = compile_later("[\u064b-\u065f\u0670\u0640]")


def classify_word(word: str) -> str | None:
    """Return NEGATION for a folded word that negates, the word itself if it restricts, and None for another word."""
    known = _index_words()
    if word in known:
        return known[word]
    if "'" in word:  # "don't", "n'est", "d'aucune"
        first, *_, last = word.split("'")
        return NEGATION if first == "n" else known.get(word.replace("'", "")) or known.get(last)
    return known.get(_ARABIC_MARKS.sub("", word)) if "\u0600" <= word[0] <= "\u06ff" else None


def is_restriction(word: str) -> bool:
    """Return whether a word or an ending restricts what is said, and does not negate it."""
    return word in _index_restrictions() or _HAS_ENDINGS.search(word) is not None


def find_endings(folded: str) -> Iterator[tuple[int, int, str]]:
    """Yield the span and the class of each Japanese and Korean negation and restriction of a folded text."""
    if _HAS_ENDINGS.search(folded):
        for match in _ENDINGS.finditer(folded):
            yield *match.span(), NEGATION if match["negation"] else match[0]


def is_negated_word(word: str, base: str) -> bool:
    """Return whether a word of the normal form is another with a negating prefix."""
    return any(word == prefix + base for prefix in _ALL_PREFIXES)


def is_negated_turkish(word: str, base: str) -> bool:
    """Return whether a Turkish word denies by its ending what another form of it says."""
    size = Prefix.similarity(word, base)
    if size < MIN_TURKISH_STEM:
        return False
    return bool(_TURKISH_NEGATION.match(word, size)) and not _TURKISH_NEGATION.match(base, size)


def is_turkish(text: str) -> bool:
    """Return whether a text is Turkish, by its letters or its function words."""
    return not _TURKISH_LETTERS.isdisjoint(text) or detect_language(text) == "tr"


def find_negation_beside(before: str, after: str) -> str:
    """Return the negation that a quote between two folded texts is cut off from; "" if the quote says what the text says.

    It is within a Chinese word that the quote cuts, begins the sentence (English "no", German "kein"), follows the verb
    (Japanese, Korean), or ends the clause (German "nicht", Turkish "değil").
    """
    if match := _NEGATED_BEFORE.search(before):
        return match[0]
    match = _WORD_BEFORE.search(before)
    if match and classify_word(match["word"]) == NEGATION:
        return match["words"]
    if match := _NEGATION_AFTER_VERB.match(after):
        return match[0].strip()
    match = _WORD_AFTER.match(after)
    return match["word"] if match and classify_word(match["word"]) == NEGATION else ""


@lru_cache(maxsize=1)
def _index_words() -> dict[str, str]:
    index = {word: word for word in _index_restrictions()}
    for language, words in _NEGATIONS.items():
        index |= dict.fromkeys(_list_forms(language, words), NEGATION)
    return index


@lru_cache(maxsize=1)
def _index_restrictions() -> frozenset[str]:
    words = {form for language, row in _RESTRICTIONS.items() for form in _list_forms(language, row)}
    return frozenset(words | set(CHINESE_RESTRICTIONS))


def _list_forms(language: str, words: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", words).split()
    return plain + [letter + word for letter in _JOINED.get(language, ()) for word in plain]
