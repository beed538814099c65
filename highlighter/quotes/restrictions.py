"""Words that restrict what a sentence says: conditions, exceptions, "only" and negations.

Those right beside a quote are known in 19 languages, those farther from it in English and Chinese.

Patterns match folded text. Folding keeps lengths, so offsets of matches also hold in the original text.
"""

from __future__ import annotations

import re

from highlighter.quotes.significance import MARGIN_CHARACTERS, NEGATION_SIGN, count_significant_words
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.modal_verbs import PERMISSION_WORDS
from highlighter.text.negations import NEGATING_PREPOSITIONS, NEGATION, classify_word, find_negation_beside

ENGLISH_PROVISO = (
    r"unless|except(?:ing)?|excluding|save (?:for|that|as|where|when|if)|provid(?:ed|ing) (?:always,? )?that|(?<=, )provided"
    r"|subject to|with the exception|other than|apart from|only"
)
ENGLISH_CONDITION = (
    r"if|in case|in the event|on (?:the )?condition|(?:as|so) long as|solely|exclusively|insofar as|to the extent"
)
CHINESE_PROVISO = r"除非|除外|例外|以外|除[^,。;]{1,20}外|但|不过|然而|[惟唯](?!一)|前提|条件是|为限"
CHINESE_CONDITION = r"仅|只(?:有|限|能|可|在|要|于|得|须|准)|限于|如(?:果|若|有|未|遇|需|经|获)|倘|假[如若]|若(?!干)|(?:情况|情形|条件)下"
# A restriction in the words that follow a quote.
RESTRICTION = compile_later(
    rf"\b(?:{ENGLISH_PROVISO}|{ENGLISH_CONDITION}|but|however)\b|{CHINESE_PROVISO}|{CHINESE_CONDITION}"
)
# The same in other languages, where it begins right after a quote; "but" restricts only what `_only_adds` says.
_BUT = (
    r"but|however|jedoch|aber|allerdings|mais|toutefois|pero|ma|però|tuttavia|porém|contudo|maar|echter|но|однако"
    r"|lecz|jednak|fakat|ancak|nhưng|tetapi|و?لكن|غير أن|אך|אבל|אולם|ولی|اما|लेकिन|मगर|किंतु|किन्तु|परंतु|परन्तु"
)
_OTHER_RESTRICTION = (
    rf"(?<=, )less (?:an?|any|the)|net of|after deducti\w+|{_BUT}|(?<=, )mas"
    r"|es sei denn|außer|ausser|ausgenommen|ausschließlich|nur|sofern|soweit|falls|wenn|vorbehaltlich|abzüglich|mit ausnahme"
    r"|vorausgesetzt|unter der (?:bedingung|voraussetzung)"
    r"|sauf|excepté|hormis|à moins|à l'exception|à condition|sous réserve|seulement|uniquement|si|déduction faite|après déduction|pourvu"
    r"|salvo|excepto|a menos que|a no ser que|siempre que|con excepción|a excepción|solo|sólo|solamente|únicamente|menos (?:un|el|la)"
    r"|previa deducción|a condición"
    r"|tranne|eccetto|fuorché|a meno che|purché|soltanto|solamente|se|ad eccezione|fatt[oaie] salv[oaie]|esclus[oaie]|a condizione"
    r"|al netto|meno (?:un|il|la|le|i)"
    r"|exceto|a não ser|desde que|apenas|somente|com exceção|à exceção|ressalvad[oa]s?|(?<=, )caso (?:[oa]s?(?! caso)|uma?|não|seja|haja|se)|deduzid[oa]s?|menos (?:uma?|o|a)"
    r"|tenzij|behalve|mits|alleen|slechts|uitsluitend|met uitzondering|uitgezonderd|indien|na aftrek|onder aftrek|onder voorbehoud"
    r"|если|кроме|только|лишь|за исключением|исключая|при условии|за вычетом"
    r"|chyba że|oprócz|tylko|z wyjątkiem|pod warunkiem|z zastrzeżeniem|o ile|po potrąceniu|trừ|với điều kiện|kecuali|asalkan"
    r"|إلا|إذا|ما لم|باستثناء|فقط|ما ?عدا|عدا|سوى|بشرط|شريطة|بعد خصم|مخصوما"
    r"|למעט|מלבד|חוץ מ\w*|פרט ל\w*|אלא אם|בתנאי ש\w*|ובלבד ש\w*|בכפוף ל\w*|בניכוי|רק|אם"
    r"|مگر|اگر|به جز|به‌جز|بجز|به استثنای|مشروط|به شرط\w*|پس از کسر|بدون احتساب"
    r"|सिवाय|बशर्ते|यदि|अगर|जब तक|केवल"
)
# The same in languages in which it ends right before a quote.
_ENDING_RESTRICTION = r"제외하고|제외하면|한하여|한해|경우에만|조건으로|전제로|뺀 후|を除き|を除いて|に限り|に限って|場合のみ|を条件に|को छोड़कर|के सिवाय|के अलावा"
_RESTRICTION_BESIDE = compile_later(
    r"\s+(?:not|nicht|niet)\b(?! (?:only|nur|alleen))"
    rf"|[\s,،、;:(–—-]*(?P<words>(?P<word>{ENGLISH_PROVISO}|{ENGLISH_CONDITION}|{_OTHER_RESTRICTION})(?!\w)(?! also)"
    rf"|{CHINESE_PROVISO}|{CHINESE_CONDITION}|を除[きくい]|の場合を除)"
)
# A condition or an exception that ends right before a quote: "Unless the owner objects, ...".
_CLAUSE_BEFORE = compile_later(
    rf"(?:\A|[.!?;:)。；：\n]\s*|\d\s+)(?P<words>(?:{ENGLISH_PROVISO}|{ENGLISH_CONDITION}|{_OTHER_RESTRICTION})(?!\w)[^.!?;:。；：,，،]{{1,200}}"
    r"|(?:除|仅|只[有要限]|如(?!下|此|上|何|期|实|同)|倘|假[如若]|若(?!干))[^.!?;:。；：,，]{1,60}),\s*(?:(?:then|dann|so|alors|则)\s*)?\Z"
)
_ENDING_BEFORE = compile_later(
    rf"(?:\A|[.!?;:。；：،,、\n]\s*)(?P<words>[^.!?;:。；：،,、\n]{{1,60}}(?:{_ENDING_RESTRICTION}))[\s,、]*\Z"
)
_ARTICLES = r"(?:(?:the|an?|any|der|die|das|den|dem|ein|eine|einen|le|la|les|l'|un|une|el|los|las|una|be|to)\s+)?"
_WORD_BEFORE = compile_later(
    rf"(?P<words>(?:\b(?:do|does|did|must|may|shall|should|can|will|is|are)\s+)?(?P<word>[^\W\d_]+(?:['’]t)?))\s+{_ARTICLES}\Z"
)
_ONLY = frozenset(
    "only solely exclusively hardly barely seldom rarely nur lediglich ausschließlich seulement uniquement solo sólo solamente únicamente soltanto"
    " alleen slechts uitsluitend apenas somente только tylko wyłącznie yalnızca sadece فقط רק केवल chỉ hanya".split()
)
_NEGATED_CJK_BEFORE = compile_later(r"(?:没有|不[得能可会應应]?|[未没無无勿毋仅僅只])\Z")
# A restriction in the words that surround a quote says what the quote leaves out.
_SAID_AROUND = compile_later(
    rf"\b(?:{ENGLISH_PROVISO}|{ENGLISH_CONDITION}|when|where|{_OTHER_RESTRICTION})(?!\w)|{CHINESE_PROVISO}|{CHINESE_CONDITION}"
)
# What only adds something to a statement of fact, and restricts what is granted: "Dogs are allowed, but on a lead".
_ADVERSATIVE = compile_later(rf"(?:{_BUT}|mas)(?!\w)|但|不过|然而|[惟唯]")
# Words by which a writer who grants something decides otherwise: "an honest witness, but I prefer the other evidence".
_PREFERENCE = compile_later(
    r"\b(?:prefer|prefers|preferred|reject|rejects|rejected|disagree|disagrees|disagreed|doubt|doubts|doubted|bevorzuge|bezweifle"
    r"|préfère|préférons|rejette|prefiero|rechazo|dudo|preferisco|respingo|dubito|prefiro|rejeito|duvido)\b"
)
_GRANT = compile_later(
    rf"\b(?:{PERMISSION_WORDS}|entitled|può|possono|ammess[oaie]|consentit[oaie]|pode|podem|mag|mogen|toegestaan|może|mogą|wolno"
    r"|может|могут|можно|вправе|разреш\w+|допускается|יכול\w*|רשאי\w*|ניתן|מותר\w*|אפשר)\b"
    r"|يجوز|يمكن|يحق|مسموح|می.?توان|مجاز|सकत|अनुमति|수 있|できる|可|允许|准"
)
_WORDS = compile_later(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
# Characters beside a quote in which a restriction is looked for, and those of it that are named.
BESIDE_CHARACTERS, MAX_RESTRICTION_CHARACTERS = 300, 120
# A restriction that turns what is beside it into something else; a condition ("if") only narrows it.
_LIMIT = compile_later(
    r"\b(?:unless|except(?:ing)?|excluding|only|solely|exclusively|hardly|barely|seldom|rarely)\b|除非|除外|例外|[仅惟唯]|只(?!是)|限于"
)
# A restriction binds the words beside it: this many of them, up to the next comma.
MAX_BOUND_WORDS = 4
_CLAUSE_END = compile_later(r"[,;:.!?()，；：。！？、（）،؛؟।]")
_SENTENCE_END = compile_later(r"[.!?;:。！？；：][\s\"”’」』)]*\Z")
_BOUND_WORD = compile_later(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+(?:['’][^\W\u3400-\u9fff]+)*")
# Ideographs are shorter than words.
_CJK_FACTOR = 2


def find_bound_restriction(before: str, omitted: str) -> str:
    """Return the restricting words at either end of what a quote leaves out; "" if none changes what the quote says.

    "shall … work" hides the "not" of "shall not work"; a "not" in a clause of its own between the two restricts neither.
    `before` are the words before the omission: where they end a sentence, nothing that follows restricts them.
    """
    clauses = _CLAUSE_END.split(omitted)
    if _SENTENCE_END.search(before):
        clauses[0] = ""
    for clause, words in ((clauses[0], _first_words(clauses[0])), (clauses[-1], _last_words(clauses[-1]))):
        if count_significant_words(words)[NEGATION_SIGN] or _LIMIT.search(fold(words)):
            return clause.strip() if len(clause) <= 2 * len(words) else words
    return ""


def find_cut_negation(text: str, start: int, end: int) -> str:
    """Return the negation that `[start, end)` of a text is cut off from: "不" before "得養狗"; "" if there is none."""
    before_start = max(start - MARGIN_CHARACTERS, 0)
    before = text[before_start:start] if before_start == 0 else f" {text[before_start:start]}"
    after = text[end : end + MARGIN_CHARACTERS] if text[end - 1 : end].isalnum() else ""
    return find_negation_beside(fold(before), fold(after))


def find_restriction_beside(text: str, start: int, end: int, around: str = "") -> str:
    """Return the words right before or after `[start, end)` of a text that negate or restrict it in its sentence; "" if none do.

    `around` are the words around the quote where it is quoted: what they restrict or negate themselves is not left out.
    """
    before, after = text[max(start - BESIDE_CHARACTERS, 0) : start], text[end : end + BESIDE_CHARACTERS]
    words = _find_words_before(before)
    if not words and not _SENTENCE_END.search(text[max(start, end - 5) : end]):
        match = _RESTRICTION_BESIDE.match(fold(after))
        # A quote with an "if" of its own leaves out further ones: "if you are allergic, if you are pregnant".
        is_next_of_list = match and match["word"] and match["word"] in _WORDS.findall(fold(text[start:end]))
        if match and not is_next_of_list:
            words = _CLAUSE_END.split(after[max(match.start("words"), 0) :])[0].strip()
            words = "" if _only_adds(words, text[start:end]) else words
    return "" if words and _says_restriction(around, words) else words[:MAX_RESTRICTION_CHARACTERS]


def _only_adds(clause: str, quote: str) -> bool:
    """Return whether a clause begins with "but", and neither negates or restricts anything nor follows what is granted."""
    folded = fold(clause)
    conjunction = _ADVERSATIVE.match(folded)
    if conjunction is None or _GRANT.search(fold(quote)) or _PREFERENCE.search(folded):
        return False
    rest = clause[conjunction.end() :]
    return not count_significant_words(rest)[NEGATION_SIGN] and not _says_restriction(rest, "")


def _find_words_before(before: str) -> str:
    folded = fold(before)
    if match := _CLAUSE_BEFORE.search(folded) or _ENDING_BEFORE.search(folded) or _NEGATED_CJK_BEFORE.search(folded):
        group = "words" if "words" in match.re.groupindex else 0
        return before[match.start(group) : match.end(group)].strip()
    match = _WORD_BEFORE.search(folded)
    if match is None:
        return ""
    word = match["word"]
    is_negation = classify_word(word) == NEGATION and word not in NEGATING_PREPOSITIONS
    if word in _ONLY:
        is_not_only = folded[: match.start("word")].rstrip().endswith(("not", "nicht", "niet"))
        return "" if is_not_only else before[match.start("word") : match.end("word")]
    return before[match.start("words") : match.end("words")] if is_negation else ""


def _says_restriction(around: str, restriction: str) -> bool:
    """Return whether words negate something where a restriction is a negation, or restrict something themselves."""
    folded = fold(around)
    counts = count_significant_words(around)
    is_negation = bool(count_significant_words(restriction)[NEGATION_SIGN])
    words = set(_WORDS.findall(folded))
    return bool((is_negation and counts[NEGATION_SIGN]) or words & _ONLY or _SAID_AROUND.search(folded))


def _first_words(clause: str) -> str:
    words = list(_BOUND_WORD.finditer(clause))
    limit = _count_bound_words(clause)
    return clause[: words[limit - 1].end()].strip() if len(words) > limit else clause.strip()


def _last_words(clause: str) -> str:
    words = list(_BOUND_WORD.finditer(clause))
    limit = _count_bound_words(clause)
    return clause[words[-limit].start() :].strip() if len(words) > limit else clause.strip()


def _count_bound_words(clause: str) -> int:
    return MAX_BOUND_WORDS * (_CJK_FACTOR if re.search(r"[\u3400-\u9fff]", clause) else 1)
