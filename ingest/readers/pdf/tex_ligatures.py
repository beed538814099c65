"""Restore the letters, ligatures, quotation marks and dashes of TeX's bitmap fonts, which name their glyphs by numbers alone.

PDFium returns these numbers as they are: control characters, which no text has. Where the numbers became the names "a101",
"a102" and so on, programs that write PDFs take them for those of Zapf Dingbats, and map "e" to a star.
"""

from __future__ import annotations

import re

# What Zapf Dingbats has at "a1", "a2" and so on; it has none of these names for five letters, which stay what they are.
_DINGBATS = (
    "✁✂✄☎✆✝✞✟✠✡☛☞✌✍✎✏✑✒✓✔✕✖✗✘✙✚✛✜✢✣✤✥✦✧★✩✪✫✬✭✮✯✰✱✲✳✴✵✶✷✸✹✺✻✼✽✾✿❀❁❂❃❄❅❆❇❈❉❊❋●❍■❏❑▲▼◆❖P◗❘❙❚❯❱❲❳❨❩❬❭❪❫❴❵❛❜❝❞❡❢❣❤✐❥❦❧♠♥♦♣"
    "qrst✉✈✇①②③④⑤⑥⑦⑧⑨⑩❶❷❸❹❺❻❼❽❾❿➀➁➂➃➄➅➆➇➈➉➊➋➌➍➎➏➐➑➒➓➔→➣↔↕➙➛➜➝➞➟➠➡➢➤➥➦➧➨➩➫➭➯➲➳➵➸➺➻➼➽➾➚➪➶➹➘➴➷➬➮➱✃❐❒❮❰"
)
_T1_CAPITALS_AND_ACCENTS = (  # from 127 on
    "-ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎ"
)
_LETTER_OF_DINGBAT = str.maketrans(
    _DINGBATS,
    ("".join(map(chr, range(1, 127))) + _T1_CAPITALS_AND_ACCENTS).replace("'", "’").replace("`", "‘"),
)
_DINGBAT = re.compile("[\u2701-\u27be\u2460-\u2469\u2660\u2663\u2665\u2666\u25cf\u25a0\u25b2\u25bc\u25c6\u25d7]")
_VOWEL, _LETTER = re.compile("[aeiou]"), re.compile("[a-z]")
_MIN_DINGBATS, _MIN_DINGBAT_SHARE = 20, 0.3  # on a page; of its letters and dingbats
_MIN_VOWEL_SHARE = (
    0.35  # of the letters that dingbats stand for: in words nearly half, in a list of all dingbats a fifth
)
_LIGATURES = "ﬀﬁﬂﬃﬄ"
_T1 = str.maketrans("\x10\x11\x15\x16\x1b\x1c\x1d\x1e\x1f", "“”–—" + _LIGATURES)
_OT1 = str.maketrans("\x0b\x0c\x0d\x0e\x0f\x10\x19\x1a\x1b\x1c\x1d\x1e\x1f", _LIGATURES + "ıßæœøÆŒØ")
# PDFium breaks lines by "\r\n". Quotation marks and dashes count beside words: fonts of formulas have brackets there.
_CONTROL = re.compile(
    r"[\x0b\x0c\x0e\x0f\x19-\x1f]|\r(?!\n)|\x10(?=[^\W\d_]{2})|(?:(?<=[^\W\d_])|(?<=[.,!?]))\x11"
    r"|(?<=[\w ])[\x15\x16](?=[\w ])"
)
_ANY_CONTROL = re.compile("[\x0b\x0c\x0e-\x11\x15\x16\x19-\x1f]")  # a set alone is searched for fast
_T1_LIGATURE = re.compile("[\x1b-\x1f]")
_OT1_LIGATURE = re.compile("[\x0b\x0c\x0e\x0f]")
_MIN_LIGATURES, _MIN_IN_WORDS_SHARE = 2, 0.9  # on a page; of them, beside a small letter


def restore_ligatures(text: str) -> str:
    """Return the characters of a page with the ligatures of TeX's encodings, where most control characters are these."""
    text = _restore_letters(text)
    has_lone_return = text.count("\r") > text.count("\r\n")
    if not (has_lone_return or _ANY_CONTROL.search(text)) or not _CONTROL.search(text):
        return text  # nearly all pages
    for pattern, table in ((_OT1_LIGATURE, _OT1), (_T1_LIGATURE, _T1)):
        places = [match.start() for match in pattern.finditer(text)]
        in_words = sum(_is_in_word(text, place) for place in places)
        if len(places) >= _MIN_LIGATURES and in_words >= _MIN_IN_WORDS_SHARE * len(places):
            return _translate(text, table)
    return text


def _restore_letters(text: str) -> str:
    """Return the characters of a page with letters for dingbats, where these are words if they are taken for letters."""
    if text.isascii():
        return text
    dingbats = _DINGBAT.findall(text)
    if len(dingbats) < _MIN_DINGBATS or len(dingbats) < _MIN_DINGBAT_SHARE * sum(map(str.isalpha, text)):
        return text
    restored = "".join(dingbats).translate(_LETTER_OF_DINGBAT)
    letters = len(_LETTER.findall(restored))
    is_in_words = letters > len(dingbats) / 2 and len(_VOWEL.findall(restored)) > _MIN_VOWEL_SHARE * letters
    return text.translate(_LETTER_OF_DINGBAT) if is_in_words else text


def _translate(text: str, table: dict[int, int]) -> str:
    return _CONTROL.sub(lambda match: match.group().translate(table), text)


def _is_in_word(text: str, place: int) -> bool:
    neighbours = text[max(place - 1, 0) : place] + text[place + 1 : place + 2]
    return any("a" <= letter <= "z" for letter in neighbours)
