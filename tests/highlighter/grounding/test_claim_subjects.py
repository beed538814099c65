"""A claim is judged by the documents that mention what it speaks of."""

import pytest

from highlighter.grounding.claim_subjects import build_named_text, find_documents_of_subject

CONTRACT = "Contract of Employment\nBetween Tarnbeck Ltd and Ms Ilse Varga. For her, Ridgeline is the place of work."
AGREEMENT = "# Entgelttarifvertrag für das Druckgewerbe Nordmark\nDie Arbeitszeit beträgt 36 Stunden."
GUIDELINE = "Clinical Guideline: Acute Migraine\nTake Sumatriptan early, as the Nordic Pain Society says."
LEAFLET = "Notice\nPrenez Velmorane avec de l'eau. Son fabricant est la Société Aurel."
SHEET = "除蜡剂安全说明书\n本产品含有苯甲醇。"
RELEASE = "報道発表資料\n蓄電池「ハルカ9」を発売します。"
TEXTS = [CONTRACT, AGREEMENT, GUIDELINE, LEAFLET, SHEET, RELEASE]
DOCUMENTS = [build_named_text([f"{number}.txt"], [text]) for number, text in enumerate(TEXTS)]
ALL = set(range(len(TEXTS)))


@pytest.mark.parametrize(
    ("claim", "meant"),
    [
        ("Ms Varga works 36 hours a week.", {0}),
        ("Ilse Varga's weekly working time is 36 hours.", {0}),
        ("Velmorane contient de l'ibuprofène.", {3}),
        ("La notice de la Société Aurel interdit l'alcool.", {3}),
        ("L'efficacité de Velmorane est prouvée.", {3}),
        ("Im Druckgewerbe Nordmark beträgt die Mindestlaufzeit zwölf Monate.", {1}),
        ("Der Tarifvertrag gewährt einen Bonus.", {1}),
        ("The migraine guideline was paid for by the Nordic Pain Society.", {2}),
        ("The Nordic Pain Society pays Ms Varga.", {2}),  # the first name is the subject
        ("「ハルカ9」は除蜡剂である。", {5}),
        # Of names that are compared, or in several statements, each counts.
        ("Velmorane and Sumatriptan are tablets.", {2, 3}),
        ("Ms Varga has 25 days of leave, and the migraine guideline is in force.", {0, 2}),
        # What names nothing, or what no document mentions, may stand in any of them.
        ("The weekly working time is 36 hours.", ALL),
        ("Die Arbeitszeit beträgt 36 Stunden.", ALL),
        ("Mr Okafor works 36 hours a week.", ALL),
        ("The agreement ends on Monday.", ALL),
        ("The Guideline sets the hours.", ALL),
        ("Take it early.", ALL),
        ("本产品含有苯甲醇。", ALL),
    ],
)
def test_documents_that_mention_the_subject_of_a_claim(claim, meant):
    assert find_documents_of_subject(claim, DOCUMENTS) == meant


@pytest.mark.parametrize("claim", ["Ms Varga works 36 hours.", "Ms Varga's hours of the Tarnbeck contract are 36."])
def test_name_of_a_file_mentions_a_subject(claim):
    agreement = build_named_text(["Varga wages.txt"], [AGREEMENT])
    assert find_documents_of_subject(claim, [DOCUMENTS[0], agreement]) == {0, 1}


def test_single_document_mentions_everything():
    assert find_documents_of_subject("Ms Varga works 36 hours.", DOCUMENTS[1:2]) == {0}
