"""Text from a font with a wrong map is nonsense in its language; valid text of any kind is not."""

from __future__ import annotations

import base64
import hashlib
import random
import string

import pytest

from ingest.readers.pdf import read
from ingest.readers.pdf.plausibility import is_nonsense
from tests.ingest.readers.pdf_drawing import SENTENCES, draw, lines, prose, relettered, wrapped

ENGLISH = " ".join(SENTENCES)
KOREAN = (
    "계약자는 공사가 늦어진다는 것을 알게 되는 즉시 발주자에게 알리고 그 까닭과 할 수 있는 일을 함께 적어야 한다. "
    "발주자는 통지를 받은 날부터 열흘 안에 답하고 모든 통지의 기록을 보관한다. 공사를 시작하기 전에 정한 가격은 "
    "나중에 시장에서 더 낮은 가격이 나오더라도 바뀌지 않는다."
)
CHINESE = (
    "承包人一旦知道工程将要延误，应当立即通知发包人，并说明原因和可以采取的措施。发包人应当在收到通知后十个工作日内答复，"
    "并保存所有通知的记录。工程开始以前约定的价格，不因以后市场上更低的报价而改变。發現缺陷的一方應當通知另一方，雙方尋找最便宜的辦法。"
)
RUSSIAN = (
    "Подрядчик сообщает о задержке, как только узнаёт о ней, и говорит, что можно сделать. Заказчик отвечает в течение "
    "десяти рабочих дней и хранит запись о каждом уведомлении. Цена, согласованная до начала работ, не меняется от того, "
    "что позже на рынке появилось другое предложение. Кто находит дефект, тот сообщает об этом другой стороне."
)

ARABIC = (
    "يخطر المقاول صاحب العمل بالتأخير فور علمه به ويبين ما يمكن عمله بشأنه. ويجيب صاحب العمل خلال عشرة أيام عمل ويحتفظ "
    "بسجل لكل إخطار تم تقديمه. ولا يتغير السعر المتفق عليه قبل بدء الأعمال بسبب عرض لاحق في السوق. ومن يجد عيبا يخبر الطرف "
    "الآخر به، ويبحث الطرفان معا عن أرخص طريقة لإصلاحه."
)


def _exchange_letters(text: str, characters: str) -> str:
    """Return the text with the characters of an alphabet exchanged at random, as by a font with a wrong map."""
    others = list(characters)
    random.Random(3).shuffle(others)
    return text.translate(str.maketrans(characters, "".join(others)))


def _range(first: str, last: str) -> str:
    return "".join(map(chr, range(ord(first), ord(last) + 1)))


NONSENSE = {
    "English with exchanged letters": _exchange_letters(ENGLISH.lower(), string.ascii_lowercase),
    "English with each code 29 too low": "".join(chr(ord(c) - 29) if c > "=" else c for c in ENGLISH),
    "Russian with exchanged letters": _exchange_letters(RUSSIAN.lower(), _range("а", "я")),
    "Korean with exchanged syllables": _exchange_letters(KOREAN, _range("가", "힣")),
    "Korean with each syllable the next": "".join(chr(ord(c) + 1) if c >= "가" else c for c in KOREAN),
    "Korean with each first consonant the next": "".join(chr(ord(c) + 588) if "가" <= c < "하" else c for c in KOREAN),
    "Chinese with exchanged characters": _exchange_letters(CHINESE, _range("一", "龥")),
    "English in letters of many scripts": ENGLISH.translate(
        {ord(c): (0x1200, 0x13A0, 0x0620, 0x10A0)[n % 4] + n for n, c in enumerate(string.ascii_letters)}
    ),
    "Arabic with each stroke that stretches a word as a letter": ARABIC.replace("م", "مووو").replace("ل", "لوووو"),
    "English in symbols": "".join(chr(33 + ord(c) % 15) if c.isalpha() else c for c in ENGLISH),
}

VALID = {
    "English": ENGLISH,
    "Korean": KOREAN,
    "Chinese": CHINESE,
    "Russian": RUSSIAN,
    "Arabic": ARABIC,
    "Arabic with stretched words": ARABIC.replace("م", "مــــ").replace("ل", "لــــ"),
    "Arabic of a chat": "ههههه هذا حلوووو جدا شكرااااا يا صديقي العزيز " * 20,
    "capitals": ENGLISH.upper(),
    "a key": base64.b64encode(b"".join(hashlib.sha256(bytes([n])).digest() for n in range(40))).decode(),
    "hexadecimal": " ".join(hashlib.sha256(bytes([n])).hexdigest() for n in range(40)),
    "genes": " ".join("".join(random.Random(n).choices("acgt", k=10)) for n in range(60)),
    "one letter again and again": "a" * 900,
    "a table of numbers": "\n".join(f"{n} | {n * n} | {n**3} %" for n in range(200)),
    "too little to tell": _exchange_letters(ENGLISH[:60], string.ascii_letters),
    "names of Koreans": "김민준 이서연 박지훈 최예은 정하윤 강도윤 조서준 윤지우 장하은 임주원 한지민 오서현 서예준 신유진 권시우 "
    "황수아 안지호 송채원 전은우 홍다은 유건우 고나연 문성민 양혜진 손동현 배소영 백승호 허재윤 남궁민 심보라",
    "names of languages": "English Русский Ελληνικά العربية עברית हिन्दी ไทย 日本語 한국어 ქართული Հայերեն አማርኛ " * 9,
}


@pytest.mark.parametrize("name", NONSENSE)
def test_text_from_a_wrong_map_is_nonsense(name):
    assert is_nonsense(NONSENSE[name])


@pytest.mark.parametrize("name", VALID)
def test_valid_text_is_not_nonsense(name):
    assert not is_nonsense(VALID[name])


def _wrong_map() -> dict[str, str]:
    others = _exchange_letters(string.ascii_lowercase, string.ascii_lowercase)
    return dict(zip(string.ascii_lowercase, others, strict=True))


def test_pdf_whose_font_names_wrong_letters_is_read_with_a_warning(tmp_path):
    drawn = draw(tmp_path / "a.pdf", lambda canvas: lines(canvas, 60, 760, wrapped(prose(1), 70)))
    assert read(drawn).warnings == ()
    assert read(relettered(drawn, _wrong_map())).warnings == (
        "Page 1: the extracted characters form no words, so the text is probably wrong.",
    )


def test_short_pages_of_a_slide_deck_are_judged_together(tmp_path):
    slides = [lambda canvas, sentence=sentence: canvas.drawString(60, 400, sentence) for sentence in SENTENCES]
    hangul = {letter: chr(0xAC00 + 397 * number) for number, letter in enumerate(string.ascii_lowercase)}
    (warning,) = read(relettered(draw(tmp_path / "a.pdf", *slides), hangul)).warnings
    assert warning.startswith("Pages 1-4: the extracted characters form no words")


def test_page_with_one_wrong_korean_font_among_others_is_named(tmp_path):
    def page(canvas):
        lines(canvas, 60, 400, wrapped(" ".join(SENTENCES).lower(), 70))
        canvas.setFont("Times-Roman", 10)
        lines(canvas, 60, 760, wrapped(prose(2).upper(), 70))

    hangul = {letter: chr(0xAC00 + 397 * number) for number, letter in enumerate(string.ascii_lowercase)}
    (warning,) = read(relettered(draw(tmp_path / "a.pdf", page), hangul)).warnings
    assert warning.startswith("Page 1: the extracted characters form no words")
