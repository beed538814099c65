"""Phrases that bound a number or a day: "at least 80", "80 or more", "spätestens am 1. Mai", 不得超过, 以上, in folded text.

Several ways to say one bound have one plain way in each language, in which a claim and a source can be compared.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from highlighter.text.lazy_pattern import compile_later

AT_LEAST, AT_MOST, RISE, FALL = "at least", "at most", "rise", "fall"
BY, FROM, BEFORE, AFTER = "by", "from", "before", "after"  # of days
MORE_THAN, LESS_THAN = "more than", "less than"
OF_DAYS = frozenset((BY, FROM, BEFORE, AFTER))

_MUST = "(?:must|shall|may|should|can|will|do|does)"
_MODAL_FR, _MODAL_ES = "(?P<modal>doi(?:t|vent)|peu(?:t|vent)|devront|devra|pourra)", "(?P<modal>(?:puede|debe)n?|podrán?|deberán?)"  # fmt: skip
_MODAL_IT, _MODAL_PT = "(?P<modal>(?:può|possono|deve|devono|potrà|dovrà))", "(?P<modal>(?:pode|deve)m?|poderá|deverá)"

# By language and bound: what stands before the number, what stands after it and its unit, and how to say it plainly.
# A phrase with a verb has a plain form of its own; what it keeps of its own words is a group.
_BEFORE: dict[str, dict[str, list[tuple[str, str]]]] = {
    "en": {
        AT_LEAST: [(rf"at least|(?:{_MUST} not be|no|not) (?:less|fewer|lower|shorter) than|not below|a minimum of", "at least")],
        AT_MOST: [
            (rf"at (?:the )?most|(?:{_MUST} not be|no|not) (?:more|greater|higher|longer) than|not exceeding|not above|up to|a maximum of", "at most"),
            (rf"(?P<modal>{_MUST}) (?:not|never) exceed", r"\g<modal> be at most"),
            (r"(?:must|shall|may|can) ?not(?P<rest>(?: \w+){1,4}) (?:more|longer) than", r"may\g<rest> at most"),
            ("(?:not|never) exceed", "be at most"),
        ],
        RISE: [("(?:rose|risen|rises?|grew|grown|grows?|increased?s?|climbed|gained)(?: by)?", "")],
        FALL: [("(?:fell|fallen|falls?|shrank|shrunk|decreased?s?|declined?s?|dropped|lost)(?: by)?", "")],
        BY: [("by|(?:no|not) later than|on or before", "by")],
        FROM: [
            ("from|(?:no|not) (?:earlier|sooner) than|on or after", "from"),
            (r"(?:not|(?P<can>can)not)(?P<rest>(?: \w+){0,4}) before", r"\g<can>\g<rest> from"),
        ],
        BEFORE: [("before", "")],
        AFTER: [("after", "")],
        MORE_THAN: [("(?:more|greater|higher|older|longer) than|over|above|exceed(?:s|ing)?|in excess of", "")],
        LESS_THAN: [("(?:less|fewer|lower|younger|shorter) than|under|below", "")],
    },
    "de": {
        AT_LEAST: [("mindestens|wenigstens|zumindest|ab|nicht (?:weniger|kürzer|niedriger|geringer) als|nicht unter", "mindestens")],
        AT_MOST: [("höchstens|maximal|nicht (?:mehr|länger|höher) als|nicht über|bis zu", "höchstens")],
        RISE: [("(?:stieg|stiegen|steigt|steigen|wuchs|wuchsen|erhöhten? sich)(?: um)?", "")],
        FALL: [("(?:sank|sanken|sinkt|sinken|fiel|fielen|verringerten? sich)(?: um)?", "")],
        BY: [("(?:bis )?spätestens(?: am| bis(?: zum)?| zum)?|nicht (?:nach|später als)(?: dem| am)?", "spätestens am")],
        FROM: [("frühestens(?: am| ab(?: dem)?)?|ab(?: dem)?|nicht (?:vor|früher als)(?: dem| am)?", "frühestens am")],
        BEFORE: [("vor(?: dem)?", "")],
        AFTER: [("nach(?: dem)?", "")],
        MORE_THAN: [("(?:mehr|länger|größer|höher|älter) als|über", "")],
        LESS_THAN: [("(?:weniger|kürzer|kleiner|niedriger|jünger) als|unter", "")],
    },
    "fr": {
        AT_LEAST: [("(?:d'|de )?au (?:moins|minimum)(?: de)?|pas moins (?:de |d')", "au moins")],
        AT_MOST: [
            ("(?:d'|de )?au (?:plus|maximum)(?: de)?|pas plus (?:de |d')|jusqu'à", "au plus"),
            (rf"ne {_MODAL_FR}(?: pas)? (?:dépasser|excéder|être supérieure?s? à)", r"\g<modal> être au plus"),
            ("(?:n'|ne )(?:excède|dépasse)(?:nt)? pas", "est au plus"),
            ("(?:n'excédant|ne dépassant) pas", "d'au plus"),
        ],
        RISE: [("(?:augment|progress)(?:e|é|a|ent)(?: de)?", "")],
        FALL: [("(?:diminu|baiss|recul)(?:e|é|a|ent)(?: de)?", "")],
        BY: [("au plus tard(?: le)?|(?:pas|jamais) après le", "au plus tard le")],
        FROM: [
            ("au plus tôt(?: le)?|à (?:partir|compter) du|(?:pas|jamais) avant le", "au plus tôt le"),
            (r"(?:ne |n')(?P<verb>\w+) pas(?P<rest>(?: \w+){0,2}) avant le", r"\g<verb>\g<rest> au plus tôt le"),
        ],
        BEFORE: [("avant(?: le)?", "")],
        AFTER: [("après(?: le)?", "")],
        MORE_THAN: [("plus (?:de |d')|supérieure?s? à|au-(?:delà|dessus) de", "")],
        LESS_THAN: [("moins (?:de |d')|inférieure?s? à|(?:au-|en )dessous de", "")],
    },
    "es": {
        AT_LEAST: [
            ("(?:de )?(?:(?:al|por lo) menos|como mínimo|un mínimo)(?: de)?|no menos de", "al menos"),
            (rf"no {_MODAL_ES} ser (?:inferior|menor) (?:a|de)(?: l[ao]s)?", r"\g<modal> ser al menos"),
        ],
        AT_MOST: [
            ("(?:de )?(?:como máximo|un máximo|a lo sumo)(?: de)?|no más de|hasta", "como máximo"),
            ("que no (?:exced|sobrepas)an?(?: de)?(?: l[ao]s)?|que no super[ae]n?(?: l[ao]s)?", "de como máximo"),
            (rf"no {_MODAL_ES} (?:superar|exceder(?: de)?|ser (?:superior|mayor) (?:a|de))(?: l[ao]s)?", r"\g<modal> ser como máximo"),
        ],
        BY: [("a más tardar(?: el)?|no (?:después|más tarde) del?", "a más tardar el")],
        FROM: [("a partir del?|no antes del?", "a partir del")],
        BEFORE: [("antes del?", "")],
        AFTER: [("después del?", "")],
        MORE_THAN: [("más de|mayor(?:es)? de|superior(?:es)? a|por encima de", "")],
        LESS_THAN: [("menos de|menor(?:es)? de|inferior(?:es)? a|por debajo de", "")],
    },
    "it": {
        AT_LEAST: [("(?:di )?(?:almeno|(?:come )?minimo|un minimo di)|(?:non|mai) meno di|non inferior[ei] a(?:i|gli|lle)?", "almeno")],
        AT_MOST: [
            ("(?:di |un )?(?:al massimo|massimo(?: di)?)|(?:non|mai) più di|non superior[ei] a(?:i|gli|lle)?|fino a(?:i|gli|lle)?", "al massimo"),
            (rf"non {_MODAL_IT} (?:superare|eccedere|essere superior[ei] a)(?: i| gli| le)?", r"\g<modal> essere al massimo"),
            ("che non (?:super|ecced)[ai](?:no)?(?: i| gli| le)?", "di al massimo"),
            ("non (?:supera|eccede)(?:no)?(?: i| gli| le)?", "è al massimo"),
        ],
        BY: [("(?:entro(?: e non oltre)?|al più tardi|non (?:oltre|dopo|più tardi del))(?: il| l')?", "entro il")],
        FROM: [("(?:a partire )?dal(?: giorno)?|non prima del|(?:al )?più presto il", "a partire dal")],
        BEFORE: [("prima del(?:l[ea])?", "")],
        AFTER: [("dopo (?:il|l[ea])", "")],
        MORE_THAN: [("più di|superior[ei] a|oltre", "")],
        LESS_THAN: [("meno di|inferior[ei] a|sotto", "")],
    },
    "pt": {
        AT_LEAST: [("(?:de )?(?:pelo menos|no mínimo|um mínimo de)|não (?:menos de|inferior(?:es)? a)", "pelo menos")],
        AT_MOST: [
            ("(?:de )?(?:no máximo|um máximo de)|não (?:mais de|superior(?:es)? a)|até", "no máximo"),
            (rf"não {_MODAL_PT} (?:exceder|ultrapassar|ser superior(?:es)? a)(?: os| as)?", r"\g<modal> ser no máximo"),
            ("que não (?:exced|ultrapass)[ea]m?(?: os| as)?|não excedente a", "de no máximo"),
            ("não (?:excede|ultrapassa)m?(?: os| as)?", "é no máximo"),
        ],
        BY: [("até(?: ao dia| ao?| o dia)?|o mais tardar(?: em| a| até)?|não depois de", "até")],
        FROM: [("a partir de|desde|não antes de", "a partir de")],
        BEFORE: [("antes d[eo](?: dia)?", "")],
        AFTER: [("(?:depois d[eo]|após)(?: o)?(?: dia)?", "")],
        MORE_THAN: [("mais de|superior(?:es)? a|acima de", "")],
        LESS_THAN: [("menos de|inferior(?:es)? a|abaixo de", "")],
    },
    "nl": {
        AT_LEAST: [("minstens|minimaal|ten minste|tenminste|op zijn minst|niet minder dan", "minstens")],
        AT_MOST: [("hoogstens|maximaal|ten hoogste|niet (?:meer|langer|hoger) dan", "hoogstens")],
        BY: [("uiterlijk(?: op)?|niet later dan|tot en met", "uiterlijk")],
        FROM: [("vanaf|niet (?:vóór|voor|eerder dan)|op zijn vroegst(?: op)?", "vanaf")],
        BEFORE: [("vóór|voor", "")],
        AFTER: [("na", "")],
        MORE_THAN: [("(?:meer|langer|hoger|ouder|groter) dan", "")],
        LESS_THAN: [("(?:minder|korter|lager|jonger|kleiner) dan", "")],
    },
    "ru": {
        AT_LEAST: [("не (?:менее|меньше|ниже|короче)(?: чем)?|как минимум|минимум|по (?:крайней|меньшей) мере", "не менее")],
        AT_MOST: [("не (?:более|больше|выше|свыше|дольше)(?: чем)?|не (?:превыша[ею]т|должн[аоы]? превышать)|максимум|самое большее", "не более")],
        BY: [("не поз(?:же|днее)", "не позднее")],
        FROM: [("не ран(?:ее|ьше)|начиная с", "не ранее")],
        BEFORE: [("до", "")],
        AFTER: [("после", "")],
        MORE_THAN: [("более|больше|свыше|выше", "")],
        LESS_THAN: [("менее|меньше|ниже", "")],
    },
    "ko": {
        AT_LEAST: [("최소한?|적어도", "최소")],
        AT_MOST: [("최대한?|많아야", "최대")],
    },
    "zh": {
        AT_LEAST: [("至少|最少|最低|不[得能应可]?(?:少于|低于|小于)", "至少")],
        AT_MOST: [("至多|最多|不[得能应可]?(?:超过|高于|多于|大于)", "最多")],
        RISE: [("(?:增加|增长|上升|上涨|提高)了?", "")],
        FALL: [("(?:减少|下降|下跌|降低|减低)了?", "")],
        BY: [("不[得能应可]?[晚迟]于|最[晚迟]于?", "最迟于")],
        FROM: [("不[得能应可]?早于|最早于?", "最早于")],
        MORE_THAN: [("超过|高于|多于|大于", "")],
        LESS_THAN: [("不足|不满|未满|低于|少于|小于", "")],
    },
    "ja": {
        AT_LEAST: [("少なくとも|最低(?:でも)?", "少なくとも")],
        AT_MOST: [("多くとも|最大(?:で)?", "最大")],
    },
    "ar": {
        AT_LEAST: [(r"(?:ما )?لا [يت]قل(?P<rest>(?: \S+){0,4}) عن", r"\g<rest>")],
        AT_MOST: [(r"(?:ما )?لا [يت](?:زيد|تجاوز)(?P<rest>(?: \S+){0,4}?)(?: عن| على)?", r"\g<rest>")],
        MORE_THAN: [("أكثر من", "")],
        LESS_THAN: [("أقل من", "")],
    },
}  # fmt: skip
_AFTER: dict[str, dict[str, str]] = {
    "en": {
        AT_LEAST: "or (?:more|longer|older|over|above)|and (?:over|above|older)|at (?:the )?least",
        AT_MOST: "or (?:fewer|less|shorter|younger|under|below)|at (?:the )?most",
    },
    "de": {AT_LEAST: "(?:oder|und) (?:mehr|länger|älter)", AT_MOST: "oder weniger|nicht (?:übersteig(?:t|en)|überschreit(?:et|en))"},
    "fr": {AT_LEAST: "(?:ou|et) plus|au (?:moins|minimum)", AT_MOST: "ou moins|au (?:plus|maximum)"},
    "es": {AT_LEAST: "[oy] más|como mínimo|(?:al|por lo) menos", AT_MOST: "o menos|como máximo|a lo sumo"},
    "it": {AT_LEAST: "o (?:più|oltre)|in su|come minimo", AT_MOST: "o meno|al massimo"},
    "pt": {AT_LEAST: "ou mais|no mínimo", AT_MOST: "ou menos|no máximo"},
    "nl": {AT_LEAST: "(?:of|en) (?:meer|langer|ouder|hoger)", AT_MOST: "of (?:minder|korter|jonger|lager)"},
    "ru": {AT_LEAST: "(?:и|или) (?:более|больше|старше|выше)", AT_MOST: "(?:и|или) (?:менее|меньше|младше|ниже)"},
    "ko": {
        AT_LEAST: "이상", AT_MOST: "이하|이내", LESS_THAN: "미만", MORE_THAN: "초과", BEFORE: "이?전(?=[에까 .,]|$)", AFTER: "이?후(?=[에부 .,]|$)",
        BY: "까지", FROM: "부터",
    },
    "zh": {AT_LEAST: "[及或]?以上", AT_MOST: "[及或]?以下|以内", BEFORE: "[之以]?前", AFTER: "[之以]?后"},
    "ja": {
        AT_LEAST: "以上", AT_MOST: "以下|以内", LESS_THAN: "未满", MORE_THAN: "を?超", BEFORE: "(?:より|以)?前", AFTER: "(?:より|以)?后",
    },
    "ar": {AT_LEAST: "على الأقل|كحد أدنى", AT_MOST: "على الأكثر|كحد أقصى"},
}  # fmt: skip
# Of bounds that have no phrase before the number with the plain words, and in Arabic, where they follow it.
PLAIN_AFTER = {("ar", AT_LEAST): "على الأقل", ("ar", AT_MOST): "على الأكثر"}
_IDEOGRAPHS = r"\u3400-\u9fff"
_SIGN = r"(?:(?:about|around|roughly|some|nearly|almost|approximately|eur|usd|gbp|chf|约|近|大约|[£$€¥])\s?)?"
_FILLER = {"zh": rf"(?:[{_IDEOGRAPHS}]{{1,8}}的|[{_IDEOGRAPHS}]{{0,2}})", "ja": ""}
_UNIT = {
    "ko": r"\s?(?:[%‰]|(?:[가-힣]{1,4}?\s?){0,2}?)",
    "zh": rf"\s?(?:[%‰]|[{_IDEOGRAPHS}]{{0,3}}?)",
    "ja": rf"\s?(?:[%‰]|[{_IDEOGRAPHS}]{{0,3}}?)",
}
_UNIT_OF_SPACED_WORDS = r"(?:\s?[%€£$]|[\s-][^\W\d_]+){0,2}?\s"


class BoundPhrase(NamedTuple):
    """A way to say a bound: the pattern ends at the number, or begins at its end; its group `words` is the phrase."""

    language: str
    bound: str
    pattern: re.Pattern[str]
    plain: str  # what stands before the number instead, with the groups of the pattern; "" for bounds that are not rewritten
    is_after: bool


def _build_phrases() -> list[BoundPhrase]:
    phrases = []
    for language, bounds in _BEFORE.items():
        begin = rf"(?:\b|(?<=[{_IDEOGRAPHS}]))" if language == "zh" else "" if language == "ja" else r"(?<!\w)"
        for bound, forms in bounds.items():
            for words, plain in forms:
                pattern = compile_later(rf"{begin}(?P<words>{words})\s?{_FILLER.get(language, '')}{_SIGN}$")
                phrases.append(BoundPhrase(language, bound, pattern, plain, False))
    for language, bounds_after in _AFTER.items():
        end = "" if language in _UNIT else r"(?!\w)"
        for bound, words in bounds_after.items():
            pattern = compile_later(rf"{_UNIT.get(language, _UNIT_OF_SPACED_WORDS)}(?P<words>{words}){end}")
            plain = next((plain for _, plain in _BEFORE[language].get(bound, [])), "")
            phrases.append(BoundPhrase(language, bound, pattern, plain if language != "ar" else "", True))
    return phrases


PHRASES = _build_phrases()
HAS_KANA = re.compile("[\u3040-\u30ff]")
