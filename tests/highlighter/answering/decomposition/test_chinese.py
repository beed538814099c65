import pytest

from highlighter.answering.decomposition.decomposer import decompose_by_rules

SINGLE_QUESTIONS = """\
如果承包商违约，业主可以做什么？
甲方和乙方的责任是什么？
条款和条件是什么？
渡輪何時開出？
在合約終止後，租客須在多少天內遷出？""".splitlines()

COMPOUND_QUESTIONS = {
    "押金是多少，何時退還？": ("押金是多少？", "押金何時退還？"),
    "費用是多少，以及何時完工？": ("費用是多少？", "何時完工？"),
    "渡輪何時開出？票價是多少？": ("渡輪何時開出？", "票價是多少？"),
    "什么是保留金？它何时发还？": ("什么是保留金？", "保留金何时发还？"),
    "谁须承担责任以及期限多久？": ("谁须承担责任？", "承担责任的期限多久？"),
    "租約和特許有什麼區別？": ("租約是什麼？", "特許是什麼？"),
    "比較甲方和乙方的責任": ("甲方的責任是什麼？", "乙方的責任是什麼？"),
    "比较定金与押金": ("定金是什么？", "押金是什么？"),
}

FOLLOW_UPS = {
    ("新加坡的税率是多少？", "那香港呢？"): "香港的税率是多少？",
    ("渡輪何時開出？", "那巴士呢？"): "巴士何時開出？",
    ("押金是多少？", "它何时退还？"): "押金何时退还？",
    ("押金是多少？", "為什麼？"): "押金為什麼？",
    ("押金是多少？", "船長是誰？"): "船長是誰？",
    ("押金是多少？", "可以說明詳細一點嗎？"): "押金是多少？",
    ("押金是多少？", "还有呢？"): "押金是多少？",
}


@pytest.mark.parametrize("question", SINGLE_QUESTIONS)
def test_single_question_is_not_split(question):
    assert decompose_by_rules(question) == (question,)


@pytest.mark.parametrize(("question", "parts"), COMPOUND_QUESTIONS.items())
def test_compound_question_is_split_into_complete_questions(question, parts):
    assert decompose_by_rules(question) == parts


@pytest.mark.parametrize(("turns", "complete"), FOLLOW_UPS.items())
def test_follow_up_is_completed_by_previous_question(turns, complete):
    before, question = turns
    assert decompose_by_rules(question, [(before, "答案。")]) == (complete,)
