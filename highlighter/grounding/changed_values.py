"""What a sentence says no longer holds: the day from which a meeting was moved, the time instead of which it begins, what is cancelled.

A model takes "The meeting of 3 March was moved to 10 March" for a meeting on 3 March.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import NamedTuple

from highlighter.grounding.unsaid_words import tells_past
from highlighter.grounding.wording import DATE, NUMBER, KeyedWord, Wording
from highlighter.quotes.significance import has_negation
from highlighter.text.characters import fold
from highlighter.text.clauses import find_clause
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.numerals import MONTH_NUMBERS

# Values of a sentence that are looked at: a text with more is no sentence.
MAX_VALUES = 20
MAX_CHARACTERS_BEFORE = 24

_MOVED = compile_later(
    r"\b(?:moved|postponed|adjourned|rescheduled|deferred|delayed|put off|pushed back|brought forward|changed|shifted"
    r"|verschoben|vorverlegt|verlegt|vertagt|vorgezogen|verschiebt|verlegen"
    r"|reportée?s?|repoussée?s?|déplacée?s?|avancée?s?|ajournée?s?|décalée?s?"
    r"|aplaza\w*|pospuest[oa]s?|pospone\w*|traslada\w*|adelanta\w*|retrasa\w*"
    r"|rinviat[oaie]|spostat[oaie]|posticipat[oaie]|anticipat[oaie]"
    r"|adiad[oa]s?|transferid[oa]s?|antecipad[oa]s?"
    r"|verplaatst|uitgesteld|verschoven|vervroegd|verzet"
    r"|перенес[её]н\w*|отложен\w*)\b"
    r"|改[到至为於于在期]|延[期至到后長长]|推[迟遲]|提前[到至]|順延|顺延|調整為|调整为|延期|繰り上げ|変更|연기|변경|앞당"
    r"|تأجيل|تأجل|أجل|نقل|(?<![א-ת])(?:נדחה|נדחתה|הוקדם|הועבר)(?![א-ת])"
)
# What was extended may still have begun, or have been signed, on another day: only "from X to Y" says which day was the last.
_EXTENDED = compile_later(
    r"\b(?:extended|verlängert|prolongée?s?|prorroga\w*|prorogat[oaie]|prorrogad[oa]s?|verlengd|продл[её]н\w*)\b|延[长長]|연장|تمديد"
)
# Before the value that holds now; in East Asian languages what follows it may say so.
_TO = compile_later(
    r"(?:\b(?:to|until|till|auf|bis|zum|au|al|alle?|a|à|até|para|naar|tot|op|на|до)(?:\s(?:the|den|dem|zum|le|la|el|las|los|as|às))?\s(?:um\s)?"
    r"|[到至为於于]|(?:إلى|حتى)\s|ל-?)$"
)
_TO_AFTER = compile_later(r"(?:\s?uhr|[日号时時点]|일|시)?(?:に|へ|まで|로|으로)")
# Between the ends of a period, unless something was moved "from" its beginning.
_UP_TO = compile_later(r"-|–|to|until|till|bis|à|au|al|a|até|tot|до|[到至]")
_CHANGED_FROM = compile_later(
    r"(?:moved|postponed|adjourned|rescheduled|deferred|brought forward|changed|shifted) from (?:the )?$"
    r"|(?:reportée?s?|déplacée?s?|avancée?s?|décalée?s?) (?:du|de) $|(?:rinviat|spostat|posticipat|anticipat)[oaie] d(?:al|i|a) $"
    r"|(?:verplaatst|verschoven) van $"
)
_INSTEAD_OF = compile_later(
    r"(?:\b(?:instead of|rather than|and not|no longer|statt|anstatt|anstelle|nicht mehr|au lieu d[eu]|et non|en lugar de|en vez de|y no"
    r"|invece (?:di|che|del|delle|dell)|in plaats van|niet meer|em vez d[eao]s?|вместо|а не)\b[^,;.]{0,6}|,\s?not\s(?:on\s|at\s)?|而不是|而非|不再是|بدلا من\s?)$"
)
# In a claim that speaks itself of what held before.
_EARLIER = compile_later(
    r"\b(?:original\w*|initial\w*|previous\w*|former\w*|earlier|plann?ed|scheduled|announced|set|before|was|were|had|instead"
    r"|ursprünglich|zunächst|vorher|zuvor|früher|geplant|angesetzt|war|waren|anstatt"
    r"|prévue?s?|initialement|auparavant|était|étaient|devait|au lieu"
    r"|previst[oaie]s?|programad[oa]s?|antes|era|eran|inizialmente|prima|oorspronkelijk|gepland|eerder|eerst|vroeger|перво\w*)\b"
    r"|原|当初|當初|予定|本来|此前|之前|以前|المقرر|كان|당초|원래"
)
_CANCELLED = compile_later(
    r"\b(?:(?:is|are|was|were|has been|have been|had to be|been) (?:cancell?ed|called off|withdrawn|suspended|scrapped|abandoned)"
    r"|(?:does|do|did|will) not take place"
    r"|entfällt|entfallen|fällt aus|fielen? aus|abgesagt|gestrichen"
    r"|(?:est|sont|a été|ont été) (?:annulée?s?|supprimée?s?|suspendue?s?)|n.a(?:ura)? pas lieu"
    r"|(?:se|queda|quedan|fue|fueron|ha sido|han sido) (?:cancela\w*|suspend\w*|anula\w*)"
    r"|(?:è|sono|è stat[oa]|viene|vengono) (?:annullat|cancellat|sospes)\w*"
    r"|(?:foi|foram|é|está) (?:cancelad|suspens)\w*|(?:is|zijn|wordt|werd|werden) (?:geannuleerd|afgelast|geschrapt)|vervalt|gaat niet door|отмен[её]н\w*)\b"
    r"|取消|中止|停[办辦]|취소|ألغي|إلغاء|בוטל"
)
# Of statements and rules that were taken back. In the present, "data are deleted after 30 days" takes back nothing.
_STATEMENT = (
    r"statements?|notes?|sentences?|paragraphs?|clauses?|sections?|passages?|references?|recommendations?|claims?|provisions?|entr(?:y|ies)"
    r"|rules?|articles?|acts?|laws?|regulations?|orders?|decisions?"
)
_REPEALED = "(?:deleted|repealed|revoked|rescinded|retracted|annulled|struck out)"
_TAKEN_BACK = compile_later(
    rf"\b(?:(?:was|were|been) {_REPEALED}"
    rf"|(?:{_STATEMENT})\b[^,;:.]{{0,80}} (?:(?:is|are) {_REPEALED}|(?:is|are|was|were|been) (?:removed|withdrawn|dropped))"
    r"|(?:wurden? [^,;:.]{0,60}\b(?:gelöscht|zurückgezogen)|(?:wurden?|ist|sind) [^,;:.]{0,60}\b(?:gestrichen|aufgehoben|widerrufen))"
    r"|(?:(?:a été|ont été) (?:supprimée?s?|retirée?s?)|(?:est|sont|a été|ont été) (?:abrogée?s?|révoquée?s?))"
    r"|(?:fue|fueron|ha sido|han sido|queda|quedan) (?:suprimid|eliminad|derogad|revocad|retirad)[oa]s?"
    r"|(?:è stat[oa]|sono stat[ie]) (?:soppress|eliminat|abrogat|revocat|ritirat)[oaie]"
    r"|(?:foi|foram) (?:suprimid|eliminad|revogad|retirad)[oa]s?"
    r"|(?:werd|werden) verwijderd|(?:is|zijn|werd|werden) (?:geschrapt|ingetrokken|herroepen)|(?:удал|отмен|отозва|исключ)[её]?н[аоы]?)\b"
    r"|已经?(?:删除|刪除)|(?:已经?|均|被)(?:废止|撤销|撤回)|削除され(?:た|まし)|(?:撤回|廃止)され|삭제(?:되었|됐)|(?:철회|폐지)되|(?:تم|جرى) (?:حذف|إلغاء)"
)
_TAKES_BACK = compile_later(
    r"\b(?:delet|repeal|revo[ck]|rescind|retract|annul|struck|strik|remov|withdr|dropp|no longer|gestrichen|gelöscht|aufgehoben|widerruf|zurückgezogen"
    r"|supprim|abrog|révo|retir|suprim|elimin|derog|soppress|ritirat|revog|geschrapt|ingetrokken|verwijder|herroep|удал|отмен|отозва|исключ)"
    r"|[删刪]除|废止|撤销|撤回|削除|廃止|삭제|철회|폐지|حذف|إلغاء"
)
# What a claim says of an event that takes place.
_TAKES_PLACE = compile_later(
    r"\b(?:takes? place|(?:is|are|be) (?:on|held|at)|meets?|holds?|runs?|starts?|begins?|opens?|goes ahead|there (?:is|are|will be)|will be held"
    r"|findet|finden|stattfinden|beginnt|(?:ist|sind) (?:am|um)|gibt es|a(?:ura|uront)? lieu|se tient|commence|(?:est|sont) (?:le|à)|il y a"
    r"|tiene lugar|se celebra|se reúne|empieza|hay|(?:es|son|será) (?:el|a las)|si tiene|si svolge|si riunisce|inizia|c.è|(?:è|sarà) (?:il|alle)"
    r"|realiza-se|(?:é|será) (?:no dia|a|às)|vindt plaats|begint|(?:is|zijn) (?:op|om)|er is|состоится|пройдет|начинается)\b"
    r"|举行|举办|召开|开始|开催|开かれ|行われ|あります|열린|열립|있다|يُعقد|يعقد|تُقام"
)
# What is cancelled only in some case, or where something is cancelled, is not said to be.
_SUBORDINATE = compile_later(
    r"\b(?:if|when|where|unless|whether|once|may|can|could|must|who|which|that|wenn|falls|sofern|kann|können|dürfen|si|quand|lorsque"
    r"|peut|peuvent|qui|cuando|puede|pueden|que|se (?:il|la|lo|l|i|le|non|viene)|quando|può|possono|che|als|indien|kan|kunnen|если|может)\b|(?<=,\s)(?:der|die|das)\b|如|若|可|场合|場合|إذا|אם"
)
# What a rule says may be taken back in some case.
_CASE = compile_later(
    r"\b(?:if|when|unless|once|wenn|falls|sofern|si|quand|lorsque|cuando|se|quando|als|indien|если)\b|[如若](?!此)|场合|場合|إذا|אם"
)
_CLOCK_AFTER = compile_later(r"\s?(?:uhr|a\.?m\b|p\.?m\b|o.clock|h\b|時|时|点|시)")
_MONTH_AFTER = re.compile(r"\s(?:de |di )?(?P<name>[^\W\d_]+)")
_DAY_SIGNS = ("日", "号", "號", "일")
_GAP = re.compile(r"(?:[.,:/年月日号號시분-]|\s(?:de|di|of|del)\s|\s|st|nd|rd|th|er|º|,\s|\.\s)?")


class _Value(NamedTuple):
    """A date, a time or another number at `[start, end)`."""

    start: int
    end: int
    words: tuple[KeyedWord, ...]

    def is_in(self, wording: Wording) -> bool:
        """Return whether a text has this value, which may have a year there."""
        return any(self._begins(value) for value in _find_values(wording))

    def _begins(self, other: _Value) -> bool:
        pairs = list(zip(self.words, other.words, strict=False))
        return len(pairs) == len(self.words) and all(word.keys & stated.keys for word, stated in pairs)

    def read(self, wording: Wording) -> str:
        """Return the value as a text has it, with its month."""
        month = _MONTH_AFTER.match(wording.text, self.end)
        is_month = month is not None and fold(month["name"]) in MONTH_NUMBERS
        end = month.end() if month and is_month else self.end
        return wording.text[self.start : end + (wording.text[end : end + 1] in _DAY_SIGNS)]


class Superseded(NamedTuple):
    """A value of a claim, at its first word there, which holds no longer by the source, and the one that does."""

    claimed: KeyedWord
    old_text: str  # as the source has it
    current_text: str


def find_superseded(claim: Wording, source: Wording) -> Iterator[Superseded]:
    """Yield the values of a claim that a source says another one has replaced."""
    if _EARLIER.search(fold(claim.text)) or _MOVED.search(fold(claim.text)):
        return
    for old, new in _find_changes(source):
        if old.is_in(claim) and not new.is_in(claim):
            claimed = next(w for w in claim.words if w.kind in (DATE, NUMBER) and w.keys & old.words[0].keys)
            yield Superseded(claimed, old.read(source), new.read(source))


def agrees_with_change(claim: Wording, source: Wording) -> bool:
    """Return whether a claim has the value that holds now by the source, and not the old one, or says what is cancelled."""
    if any(new.is_in(claim) and not old.is_in(claim) for old, new in _find_changes(source)):
        return True
    return _is_denied(claim) and _CANCELLED.search(fold(source.text)) is not None


def _find_changes(source: Wording) -> Iterator[tuple[_Value, _Value]]:
    """Yield each value that a source says another one has replaced, with that one."""
    values = list(islice(_find_values(source), MAX_VALUES))
    yield from _find_moved(source, values)
    yield from _find_replaced(source, values)


def _find_moved(source: Wording, values: list[_Value]) -> Iterator[tuple[_Value, _Value]]:
    """Yield the other dates and times of a clause that says to which one something was moved, each with that one."""
    folded = fold(source.text)
    is_moved = _MOVED.search(folded) is not None
    if len(values) < 2 or not (is_moved or _EXTENDED.search(folded)):
        return
    current = [
        value
        for value in values
        if _TO.search(folded[max(value.start - MAX_CHARACTERS_BEFORE, 0) : value.start])
        or _TO_AFTER.match(folded, value.end)
    ]
    if len(current) == 1 and _is_time(source, current[0]):
        for value in values:
            joint = folded[value.end : current[0].start].strip()
            is_period = _UP_TO.fullmatch(joint) and not _CHANGED_FROM.search(folded, 0, value.start)
            is_replaced = (is_moved and not is_period) or (not is_moved and _TO.fullmatch(f"{joint} "))
            if value != current[0] and is_replaced and _are_alike(value, current[0]):
                yield value, current[0]


def _find_replaced(source: Wording, values: list[_Value]) -> Iterator[tuple[_Value, _Value]]:
    """Yield each value behind "instead of" with the one before it."""
    folded = fold(source.text)
    for before, value in pairwise(values):
        is_replaced = _INSTEAD_OF.search(folded[before.end : value.start]) and _is_time(source, value)
        if is_replaced and _are_alike(before, value):
            yield value, before


def _is_time(source: Wording, value: _Value) -> bool:
    """Return whether a value is a date or a time of the day."""
    is_clock = ":" in source.text[value.start : value.end] or _CLOCK_AFTER.match(fold(source.text), value.end)
    return value.words[0].kind == DATE or bool(is_clock)


def _is_denied(claim: Wording) -> bool:
    """Return whether a claim says that something is cancelled, or does not take place."""
    folded = fold(claim.text)
    return _CANCELLED.search(folded) is not None or has_negation(folded)


def _are_alike(value: _Value, other: _Value) -> bool:
    return [word.kind for word in value.words] == [word.kind for word in other.words]


def _find_values(source: Wording) -> Iterator[_Value]:
    words: list[KeyedWord] = []
    for word in source.words:
        if word.kind not in (DATE, NUMBER):
            continue
        if words and (word.kind != words[-1].kind or not _GAP.fullmatch(fold(source.text[words[-1].end : word.start]))):
            yield _Value(words[0].start, words[-1].end, tuple(words))
            words = []
        words.append(word)
    if words:
        yield _Value(words[0].start, words[-1].end, tuple(words))


def find_cancellation(claim: Wording, source: Wording) -> str:
    """Return the words by which a source says that what a claim says to take place is cancelled, or takes back what it says.

    "" where it does not.
    """
    claim_text, folded = fold(claim.text), fold(source.text)
    if _is_denied(claim) or _EARLIER.search(claim_text):
        return ""
    match, condition = (_CANCELLED.search(folded) if _TAKES_PLACE.search(claim_text) else None), _SUBORDINATE
    if match is None and not (_TAKES_BACK.search(claim_text) or tells_past(claim_text)):
        match, condition = _TAKEN_BACK.search(folded), _CASE
    if match is None or len(folded) != len(source.text):
        return ""
    start, end = find_clause(folded, *match.span())
    if condition.search(folded, start, end):
        return ""
    return source.text[match.start() : match.end()] if claim.is_about_clause(source, start, end) else ""
