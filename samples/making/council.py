"""A council paper in Traditional Chinese with questions from the floor in Cantonese; its fonts are embedded."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.units import mm
from reportlab.platypus import Paragraph, Spacer

from .paper import Faces, build, build_head_and_foot, frame, page, ruled_table, style

NAME = "南灣區議會文件 避風塘改善工程.pdf"
TITLE = "南灣避風塘改善工程"
HEAD = "南灣區議會文件第 27/2025 號"

QUESTIONS = [
    ("工程預計幾時完成？", "整項工程預計在二〇二七年十二月完成。"),
    ("工程費用約為多少？", "按二〇二五年三月的價格計算，工程費用約為三億二千六百萬元。"),
    ("施工期間漁船可以停泊在哪裏？", "施工期間，受影響的漁船可以免費停泊在東灣臨時碼頭。"),
    ("夜晚幾點之後唔會打樁？", "署方代表回覆話，夜晚十一點之後唔會打樁，亦唔會用任何嘈嘅機器。"),
    ("加建泊位會影響啲乜嘢？", "代表解釋，水深不足兩米嘅位置如果要加建泊位，就要挖走大量海泥，會影響附近嘅珊瑚。"),
]

PARTS = [
    ("head", "目的"),
    ("body", "本文件向議員介紹南灣避風塘改善工程的範圍、時間和費用，並徵詢議員的意見。"),
    ("head", "背景"),
    (
        "body",
        (
            "南灣避風塘建於一九六八年，現時供約一百八十艘漁船和遊艇停泊。過去十年，颱風帶來的巨浪多次越過防波堤，"
            "損毀堤面和岸邊的設施。二〇二三年九月的颱風令東面防波堤下陷四十厘米，十一艘漁船受損。"
        ),
    ),
    ("body", "土木工程署於二〇二四年完成勘察，認為堤身仍然穩固，但護面石塊流失嚴重，必須在五年內更換。"),
    ("head", "擬議工程"),
    (
        "body",
        (
            "工程包括四個部分：重鋪東面防波堤的護面石塊；加高堤頂護牆八十厘米；興建一個設有十二個泊位的公眾登岸設施；"
            "以及更換沿岸的照明和救生設備。"
        ),
    ),
    ("body", "按二〇二五年三月的價格計算，工程費用約為三億二千六百萬元。各部分的費用和完成日期載於下表。"),
    (
        "table",
        [
            ("工程部分", "費用（萬元）", "完成日期"),
            ("護面石塊", "14,800", "二〇二六年十月"),
            ("堤頂護牆", "6,200", "二〇二七年三月"),
            ("公眾登岸設施", "9,100", "二〇二七年九月"),
            ("照明和救生設備", "2,500", "二〇二七年十二月"),
        ],
    ),
    ("body", "如獲立法會財務委員會批准撥款，工程將於二〇二六年一月展開。整項工程預計在二〇二七年十二月完成。"),
    ("head", "對居民和漁民的影響"),
    (
        "body",
        (
            "施工期間，受影響的漁船可以免費停泊在東灣臨時碼頭。署方會安排每日四班接駁船，往返臨時碼頭和魚市場。"
            "海濱長廊會分段封閉，每段封閉的時間不超過三個月，輪椅使用者的通道則全程保持開放。"
        ),
    ),
    (
        "body",
        "承建商須在工地邊界監測噪音和海水的混濁程度。如果混濁程度連續兩日超出標準，必須停止挖泥，直至水質回復正常。",
    ),
    ("head", "居民大會上的提問"),
    ("body", "署方於二〇二五年四月十二日舉行居民大會，約有一百人出席。以下按發言者的原話記錄。"),
    (
        "body",
        (
            "漁民陳先生問：「夜晚會唔會開工？我哋啲老人家瞓得好淺，嘈親就瞓唔到。」署方代表回覆話，"
            "夜晚十一點之後唔會打樁，亦唔會用任何嘈嘅機器。如果要趕喺退潮嗰陣做嘢，會提早七日貼通告。"
        ),
    ),
    (
        "body",
        (
            "街坊李太問：「點解唔起多啲公眾泊位？而家假日啲船排到出海口，好危險㗎。」"
            "代表解釋，水深不足兩米嘅位置如果要加建泊位，就要挖走大量海泥，會影響附近嘅珊瑚。"
            "署方會研究喺西面另外加設浮躉，遲啲再同大家傾。"
        ),
    ),
    (
        "body",
        "小販黃女士擔心生意冇咗。代表話，封路期間會喺碼頭側邊劃出十個臨時攤位，租金全免，唔使抽籤，現有嘅檔主優先。",
    ),
    ("head", "徵詢意見"),
    ("body", "請議員就上述工程建議提供意見。署方會在二〇二五年八月三十一日前，把議員的意見連同詳細設計一併提交。"),
]


def write(folder: Path, faces: Faces) -> None:
    draw = build_head_and_foot(30 * mm, faces.chinese, HEAD, "第 {page} 頁，共 {pages} 頁")
    build(folder / NAME, TITLE, lambda: _story(faces), [page("page", [frame(30 * mm, 152 * mm)], draw)])


# The number of characters of the body's size that fit on a line.
FONT_SIZE, CHARACTERS_PER_LINE = 11.5, 36
CANNOT_START_A_LINE = "，。、；：？！」）"


def _story(faces: Faces) -> list:
    body = style(faces.chinese, FONT_SIZE, 20, after=9)
    head = style(faces.chinese, 14, 21, before=9, after=5, keep=True)
    cell = style(faces.chinese, 10.5, 16)
    story = [
        Paragraph(HEAD, style(faces.chinese, 10.5, 16, after=2)),
        Paragraph(TITLE, style(faces.chinese, 21, 30, after=10)),
    ]
    for kind, content in PARTS:
        if kind == "table":
            story += [ruled_table(content, [60 * mm, 40 * mm, 50 * mm], cell, cell), Spacer(0, 10)]
        else:
            story.append(Paragraph(_break_lines(content), head if kind == "head" else body))
    return story


def _break_lines(text: str) -> str:
    """Return a text with its line breaks: reportlab would let commas begin a line."""
    lines = []
    while len(text) > CHARACTERS_PER_LINE:
        cut = CHARACTERS_PER_LINE
        while text[cut] in CANNOT_START_A_LINE or text[cut - 1] in "「（":
            cut -= 1
        lines.append(text[:cut])
        text = text[cut:]
    return "<br/>".join([*lines, text])
