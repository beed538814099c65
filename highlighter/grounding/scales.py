"""Words of one scale, of which a claim has another one than its source: each day and each week, often and rarely, mean and median.

The words are those of English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese, Japanese, Korean and
Arabic. A model overlooks such words in most of them. Texts are folded.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from highlighter.grounding.wording import NUMBER, KeyedWord, Wording, join_keys
from highlighter.quotes.significance import count_negations, has_negation
from highlighter.text.characters import fold
from highlighter.text.clauses import AND_WORDS, MARKS, find_clause, find_clauses
from highlighter.text.function_words import FUNCTION_WORDS_BESIDE_ENGLISH
from highlighter.text.language import detect_language
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.modal_verbs import DUTY_VERBS, PERMISSION_VERBS
from highlighter.text.terms import is_cjk

MUST, SHOULD, MAY = "must", "should", "may"
_ENGLISH_EACH = r"(?:per|each|every|an?) (?:calendar |working |business )?"
_PERIODS = {
    "hour": rf"{_ENGLISH_EACH}hour|hourly|(?:pro|je|jede) stunde|stündlich|(?:par|chaque) heure|(?:por|cada) hora"
    r"|all'ora|ogni ora|(?:per|elk) uur|в час|каждый час|ежечасно|시간당|매시간",
    "day": rf"{_ENGLISH_EACH}day|daily|(?:pro|je|jeden|am) tag|täglich|(?:par|chaque) jour|quotidien\w*|(?:por|cada|al) día|diari[oa]s?"
    r"|diariamente|al giorno|ogni giorno|giornalier\w+|quotidian\w+|(?:por|cada) dia|todos os dias|diári[oa]s?|(?:per|elke) dag"
    r"|dagelijkse?|в день|каждый день|ежедневн\w+|매일|하루에?|كل يوم|يوميا",
    "week": rf"{_ENGLISH_EACH}week|weekly|(?:pro|je|jede) woche|wöchentlich|(?:par|chaque) semaine|hebdomadaire\w*|(?:por|cada) semana"
    r"|semanal\w*|semanais|a(?:lla)? settimana|ogni settimana|settimanal\w+|todas as semanas|(?:per|elke) week|wekelijkse?"
    r"|в неделю|каждую неделю|еженедельн\w+|매주|주|주당|كل أسبوع|أسبوعيا",
    "month": rf"{_ENGLISH_EACH}month|monthly|(?:pro|je|jeden|im) monat|monatlich|(?:par|chaque) mois|mensuel\w*|(?:por|cada|al) mes"
    r"|mensual\w*|al mese|ogni mese|mensil[ei]|mensilmente|(?:por|ao|cada) mês|todos os meses|mensal(?:mente)?|mensais"
    r"|(?:per|elke) maand|maandelijkse?|в месяц|каждый месяц|ежемесячн\w+|매월|매달|월|월간|كل شهر|شهريا",
    "quarter": rf"{_ENGLISH_EACH}quarter|quarterly|(?:pro|je|jedes) quartal|vierteljährlich|(?:par|chaque) trimestre|trimestriel\w*"
    r"|(?:por|cada|al?|ogni) trimestre|trimestral\w*|(?:per|elk) kwartaal|в квартал|ежеквартальн\w+|매분기|분기별",
    "year": rf"{_ENGLISH_EACH}year|yearly|annual|annually|(?:pro|je|jedes|im) jahr(?! \d)|jährlich|par an|chaque année|annuel\w*|(?:por|cada|al) año"
    r"|anual\w*|anuais|all'anno|ogni anno|annu[aeio]|annualmente|(?:por|ao|cada) ano|todos os anos|(?:per|elk) jaar|jaarlijkse?"
    r"|в год|каждый год|ежегодн\w+|годов\w+|매년|해마다|연|연간|كل (?:سنة|عام)|سنويا",
}  # fmt: skip
_CHINESE_PERIODS = {
    "hour": "小时|时间",
    "day": "[日天]|工作日",
    "week": "周|星期|週",
    "month": "月",
    "quarter": "季",
    "year": "年",
}
_FREQUENCIES = {
    "often": r"often|frequent(?:ly)?|commonly|common|häufig\w*|oft|souvent|(?<!peu )fréquent(?:e?s?|e)|fréquemment"
    r"|(?<!poco )frecuentes?|frecuentemente|a menudo|غالبا|شائعة?",
    "rarely": r"rarely|rare|seldom|selten\w*|rarement|rares?|peu fréquent\w*|rar[ao]s?|raramente|poco frecuentes?|نادرا|نادرة?",
}  # fmt: skip
_AVERAGES = {
    "mean": r"mean(?! that)|mittelwert\w*|durchschnitt\w*|moyen(?:ne)?s?|edad media|promedio",
    "median": r"median\w*|médian\w*",
}
_DUTIES = {
    MUST: rf"{DUTY_VERBS}|(?:is|are) (?:required|obliged) to|deberán?|dovr(?:à|anno)|deverão|deverá|חייב(?:ת|ים|ות)?|يجب",
    SHOULD: r"should|ought to|sollten?|devrai(?:t|ent)|deberían?|dovrebbe(?:ro)?|deveriam?|zou(?:den)? moeten|следует",
    MAY: rf"{PERMISSION_VERBS}|podrán?|potr(?:à|anno)|poderão|poderá|רשאי(?:ת|ם|ות)?|يجوز",
}
_TAX = r"(?:vat|value[- ]added tax|sales tax|gst|tax(?:es)?|(?:mehrwert|umsatz)steuer|mwst\.?|ust\.?|tva|taxes?|iva|btw|ндс)"
# Whether a price has its tax in it, or the tax is added to it.
_TAXES = {
    "included": rf"(?:includ\w+|inclusive of|enthalten|enthält|inklusive|inkl\.|einschließlich|compren\w+|inclu\w+|toutes|comprensiv\w+ di|inclus\w+|включая)(?=(?: [^\s,;.]+){{0,3}}? {_TAX})"
    rf"|{_TAX}(?: [^\s,;.]+){{0,2}}? (?:included|enthalten|inbegriffen|comprise?s?|incluid[oa]s?|inclus[oaie]s?|inbegrepen|включен)|ttc",
    "added": rf"(?:plus|excluding|exclusive of|net of|zuzüglich|zzgl\.|ohne|hors|más|sin|più|esclus[ao]|mais|exclusief|плюс|без)(?= (?:[^\s,;.]+ ){{0,2}}?{_TAX})"
    rf"|{_TAX}(?: [^\s,;.]+){{0,4}}? (?:added|hinzu|hinzugerechnet|on top|en sus|aparte|añade|excluded|esclusa|s'ajoute|excluída?)",
}  # fmt: skip
_OBLIGATIONS = {
    "obligatory": r"obligatory|compulsory|mandatory|verpflichtend|obligatorisch|vorgeschrieben|pflicht|obligatoires?|obligatori[oaie]s?|obrigatóri[oa]s?|verplicht|обязательн\w+",
    "voluntary": r"voluntary|optional|freiwillig|fakultativ|facultati(?:f|ve)s?|volontaires?|voluntari[oa]s?|opcional(?:es)?|opcionais|facultativ[oa]s?|volontari[oaie]|facoltativ[oaie]"
    r"|vrijwillig|facultatief|optioneel|добровольн\w+|необязательн\w+",
}  # fmt: skip
_APPROVALS = {
    "approved": r"approv(?:es|ed|al)|accept(?:s|ed)|grant(?:s|ed)|adopt(?:s|ed)|agree[sd]|consent(?:s|ed)?|passed|allow(?:s|ed)|genehmigt\w*|angenommen|zugestimmt|bewilligt"
    r"|beschloss\w*|approuvée?s?|acceptée?s?|accordée?s?|adoptée?s?|autorisée?s?|avis favorable|aprobad[oa]s?|aprobó|aceptó|aceptad[oa]s?|concedi\w+|adoptad[oa]s?"
    r"|approvat[oaie]|accettat[oaie]|accolt[oaie]|aprovad[oa]s?|aprovou|aceit[oae]s?|goedgekeurd|aangenomen|toegekend|одобр\w+|утверд\w+|принят\w*",
    "refused": r"refus(?:es|ed|al)|reject(?:s|ed)|declin(?:es|ed)|turned down|unfavou?rable|voted against|oppos(?:es|ed)|abgelehnt\w*|lehnt\w*|zurückgewiesen|verweigert"
    r"|refusée?s?|rejetée?s?|avis (?:défavorable|négatif)|s'(?:est|y) oppos\w+|rechaz\w+|desfavorable|deneg\w+|respint[oaie]|rifiutat[oaie]|parere (?:negativo|contrario|sfavorevole)"
    r"|rejeitad[oa]s?|rejeitou|recus\w+|parecer (?:desfavorável|negativo)|afgewezen|geweigerd|negatief advies|отклон\w+|отказ\w+",
}  # fmt: skip
_CHINESE = {
    "often": "经常|常见|频繁", "rarely": "罕见|很少|偶见", "mean": "平均", "median": "中位|中央值", MUST: "必须|应当|[아어여해]야 (?:한다|합니다|하며)", MAY: "可以|수 있",
    "included": "含税", "added": "不含税|另加税|税别", "approved": "批准|同意|通过|承認|可决|승인", "obligatory": "必修|强制", "voluntary": "选修|自愿|任意",
    "refused": "拒绝|否决|不予|却下|否决|거부|기각",
}  # fmt: skip


def _compile(name: str, words: str) -> re.Pattern[str]:
    chinese = rf"[每毎逐按]个?(?:{_CHINESE_PERIODS[name]})" if name in _CHINESE_PERIODS else _CHINESE.get(name, "")
    return compile_later(rf"(?<!\w)(?:{words})(?!\w)" + (f"|{chinese}" if chinese else ""))


_SCALES = [
    {name: _compile(name, words) for name, words in scale.items()}
    for scale in (_PERIODS, _FREQUENCIES, _AVERAGES, _DUTIES, _TAXES, _OBLIGATIONS, _APPROVALS)
]
_OF_PERIODS = _SCALES[0]


# "Does not affect the right" says the opposite of "gives up the right".
_RIGHTS = {
    "kept": compile_later(
        r"\b(?:not (?:affect|limit|restrict|prejudice|lose|waive)|keeps?|kept|retains?|remains?|without prejudice|unberührt|behält|behalten|n'affecte pas|conserve|no afecta|conserva"
        r"|non pregiudica|não afeta|laat .* onverlet|behoudt|сохраняет)\b"
    ),
    "lost": compile_later(
        r"\b(?:gives? up|gave up|loses?|lost|waives?|waived|forfeits?|verliert|verlieren|verzichtet|perd|perdent|renonce|pierden?|renuncia|perde|rinuncia|verliest|afstand"
        r"|теряет|отказывается)\b"
    ),
}
_OR = r"or|oder|ou|o|u|of|или"
# Elsewhere these are other words: Portuguese "o recibo", English "of".
_LANGUAGES_OF_OR = {"o": ("es", "it"), "of": ("nl",)}
_CONJUNCTION = compile_later(rf"(?<![^\W\d_])(?:(?P<and>{AND_WORDS})|(?P<or>{_OR}))(?![^\W\d_])")
_ALL_OF_THEM = compile_later(
    rf"\b(?:{DUTY_VERBS}|if|when|where|unless|provided|both|wenn|falls|sofern|sowohl|si|lorsque|se|quando|als|indien|если|signed|requires?)\b"
)
_NEEDS = compile_later(
    r"\b(?:needs?|requires?|required|braucht|brauchen|benötig(?:t|en)|erforder(?:t|n|lich)|besoin|nécessite|exige|necesita|requiere|richiede|bisogno"
    r"|serve|precisa|requer|nodig|vereist|требует\w*|нуж\w+|необходим\w*)\b|需要|須|须"
)
_WITHOUT = compile_later(
    r"\b(?:without|ohne|sans|sin|senza|sem|zonder|без)\b(?P<thing>(?:(?! (?:but|aber|sondern|mais|pero|sino|ma|mas|maar|но)\b)[^,;:.]){2,80})|无需|無需|不需|毋须"
)


_WORKING_DAYS = compile_later(
    r"\b(?:(?:working|business|banking) days?|(?:werk|arbeits|bank|geschäfts)tage?n?|jours (?:ouvr[ée]s|ouvrables)|días (?:hábiles|laborables)"
    r"|giorni (?:lavorativi|feriali)|dias úteis|werkdagen|рабочих дн(?:я|ей))\b|个?工作日|営業日|영업일"
)
_DAYS = compile_later(r"\s?(?:(?:days?|tage?n?|jours?|días?|giorn[oi]|dias?|dagen|дн(?:я|ей)|день)\b|个?[日天]|일)")


class OtherDegree(NamedTuple):
    """A word of a claim at `[start, end)`, and the word of the source that stands for another place on the same scale."""

    start: int
    end: int
    source_words: str


_Neighbours = tuple[KeyedWord | None, KeyedWord | None]


def find_other_degrees(claim: Wording, source: Wording) -> Iterator[OtherDegree]:
    """Yield the words of a claim on whose scale the source has others. What is denied is left out, and that the claim allows
    what the source demands or recommends; other periods are compared where the numbers are the same.
    """
    claim_text, source_text = fold(claim.text), fold(source.text)
    is_denied = has_negation(claim_text) or has_negation(source_text)
    has_other_numbers = any(word.kind == NUMBER and not word.keys & source.keys for word in claim.words)
    for scale in _SCALES:
        if has_other_numbers if scale is _OF_PERIODS else is_denied:
            continue
        claimed = {name: match for name, pattern in scale.items() if (match := pattern.search(claim_text))}
        stated = {name: match for name, pattern in scale.items() if (match := pattern.search(source_text))}
        if len(claimed) == 1 and stated and not claimed.keys() & stated.keys() and not {MAY, SHOULD} & claimed.keys():
            (match,), first = claimed.values(), next(iter(stated.values()))
            yield OtherDegree(*match.span(), source.text[first.start() : first.end()])
        elif len(claimed) == 1 and len(stated) == 2 and not {MAY, SHOULD} & claimed.keys():
            (name, match), (of_other,) = *claimed.items(), (m for other, m in stated.items() if other not in claimed)
            if _is_of_other_clause(claim, source, scale[name], of_other):
                yield OtherDegree(*match.span(), source.text[slice(*of_other.span())])
    yield from _find_opposite_rights(claim, source)
    yield from _find_needless_things(claim, source)
    yield from _find_other_conjunctions(claim, source)
    yield from _find_other_days(claim, source)


def _is_of_other_clause(claim: Wording, source: Wording, of_claim: re.Pattern[str], other: re.Match[str]) -> bool:
    """Return whether a claim has all that only the clause of another degree says: "compulsory in year 1 and voluntary in year 2"."""
    folded = fold(source.text)
    start, end = find_clause(folded, *other.span())
    if of_claim.search(folded, start, end):
        return False
    outside = [*source.words_between(0, start), *source.words_between(end, len(folded))]
    elsewhere = join_keys(outside)
    words = [w for w in source.words_between(start, end) if not other.start() <= w.start < other.end()]
    own = [
        word
        for word in words
        if not (word.is_stop_word or word.text in FUNCTION_WORDS_BESIDE_ENGLISH or word.keys & elsewhere)
    ]
    return bool(own) and all(word.keys & claim.keys for word in own)


def _find_other_days(claim: Wording, source: Wording) -> Iterator[OtherDegree]:
    """Yield the "working" of "45 working days" where the source says "45 days"."""
    claim_text, source_text = fold(claim.text), fold(source.text)
    if _WORKING_DAYS.search(source_text):
        return
    for match in _WORKING_DAYS.finditer(claim_text):
        numbers = [w for w in claim.words if w.kind == NUMBER and not claim_text[w.end : match.start()].strip()]
        days = (_DAYS.match(source_text, w.end) for w in source.words if numbers and w.keys & numbers[-1].keys)
        for day in filter(None, days):
            yield OtherDegree(*match.span(), source.text[slice(*day.span())].strip())


def _find_opposite_rights(claim: Wording, source: Wording) -> Iterator[OtherDegree]:
    """Yield "gives up the right" where the source says that it is not affected."""
    claim_text, source_text = fold(claim.text), fold(source.text)
    claimed = {name: match for name, pattern in _RIGHTS.items() if (match := pattern.search(claim_text))}
    stated = {name: match for name, pattern in _RIGHTS.items() if (match := pattern.search(source_text))}
    is_denied = has_negation(claim_text)
    if claimed.keys() == {"lost"} and stated.keys() == {"kept"} and not is_denied:
        yield OtherDegree(*claimed["lost"].span(), source.text[slice(*stated["kept"].span())])


def _find_needless_things(claim: Wording, source: Wording) -> Iterator[OtherDegree]:
    """Yield "needs the consent" where the source says that something is done without the consent, and denies nothing else."""
    claim_text, source_text = fold(claim.text), fold(source.text)
    needs, without = _NEEDS.search(claim_text), _WITHOUT.search(source_text)
    if not needs or not without or _NEEDS.search(source_text) or has_negation(claim_text):
        return
    is_only_negation = count_negations(source_text) == 1
    start, end = without.span("thing")
    elsewhere = join_keys(word for word in source.words if not start <= word.start < end)
    things = [word for word in source.words_between(start, end) if not word.is_stop_word and not word.keys & elsewhere]
    if is_only_negation and any(word.keys & claim.keys for word in things):
        yield OtherDegree(*needs.span(), source.text[slice(*without.span())].strip())


def _find_other_conjunctions(claim: Wording, source: Wording) -> Iterator[OtherDegree]:
    """Yield the "or" of a claim between two things both of which the source demands, or has as a condition."""
    claim_text, source_text = fold(claim.text), fold(source.text)
    if not _ALL_OF_THEM.search(source_text) or has_negation(claim_text):
        return
    language = detect_language(f"{claim.text} {source.text}")
    stated = _find_conjunctions(source, source_text)
    clauses = find_clauses(source_text, (match.span() for match, _ in stated), MARKS)
    denied = {clause: has_negation(source_text[slice(*clause)]) for clause in set(clauses)}
    for match, neighbours in _find_conjunctions(claim, claim_text):
        same = [number for number, (_, words) in enumerate(stated) if _are_equal(neighbours, words)]
        is_or = match["or"] and language in _LANGUAGES_OF_OR.get(match["or"], (language,))
        if is_or and same and all(stated[number][0]["and"] and not denied[clauses[number]] for number in same):
            yield OtherDegree(*match.span(), source.text[slice(*stated[same[0]][0].span())])


def _are_equal(words: Sequence[KeyedWord | None], others: Sequence[KeyedWord | None]) -> bool:
    pairs = zip(words, others, strict=True)
    return all(word is not None and other is not None and bool(word.keys & other.keys) for word, other in pairs)


def _find_conjunctions(wording: Wording, folded: str) -> list[tuple[re.Match[str], _Neighbours]]:
    """Return the conjunctions of a text with the content words before and after each."""
    content = [
        word for word in wording.words if not word.is_stop_word and word.text not in FUNCTION_WORDS_BESIDE_ENGLISH
    ]
    starts, ends = [word.start for word in content], [word.end for word in content]
    conjunctions: list[tuple[re.Match[str], _Neighbours]] = []
    for match in _CONJUNCTION.finditer(folded):
        before, after = bisect_right(ends, match.start()) - 1, bisect_left(starts, match.end())
        neighbours = content[before] if before >= 0 else None, content[after] if after < len(content) else None
        conjunctions.append((match, neighbours))
    return conjunctions


# Of the words for periods, those that stand before a noun: another word in their place needs another sentence.
_ADJECTIVE = compile_later(
    r"annual|.*(?:ien|el|al|aire|diári[oa]|diari[oa])(?:ne|le|mente)?s?|.*(?:il[ei]|al[ei]|ais|elijkse|н[а-яё]{2,3}|годов\w+)|annu[aeio]|[가-힣]+"
)


def unify_periods(claim: str, sentences: Sequence[str]) -> list[str]:
    """Return the sentences with the claim's words for the same period: "monthly" for "each month"."""
    claimed = {name: match for name, pattern in _OF_PERIODS.items() if (match := pattern.search(fold(claim)))}
    if len(claimed) != 1 or any(_ADJECTIVE.fullmatch(match[0]) for match in claimed.values()):
        return list(sentences)
    ((name, match),) = claimed.items()
    words = claim[match.start() : match.end()]
    words = words[0].lower() + words[1:]
    return [
        _write_period(sentence, name, words) if _may_be_in_one_language(claim, sentence) else sentence
        for sentence in sentences
    ]


def _may_be_in_one_language(text: str, other: str) -> bool:
    languages = {detect_language(text), detect_language(other)} - {""}
    return any(map(is_cjk, text)) == any(map(is_cjk, other)) and len(languages) < 2


def _write_period(sentence: str, name: str, words: str) -> str:
    matches = list(_OF_PERIODS[name].finditer(fold(sentence)))
    if len(matches) != 1 or _ADJECTIVE.fullmatch(matches[0][0]):
        return sentence
    start, end = matches[0].span()
    words = words[0].upper() + words[1:] if sentence[start].isupper() else words
    return sentence[:start] + words + sentence[end:]
