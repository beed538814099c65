"""Decomposition of Chinese questions, Traditional and Simplified, by rules.

Patterns match the folded text. Folding keeps lengths, so offsets of matches also hold in the original text.
"""

from __future__ import annotations

import re

from highlighter.answering.decomposition.vague_question import is_vague
from highlighter.text.characters import fold

_QUESTION_WORD = (
    r"(?:什么时候|什么|甚么|何时|何地|何处|何人|何种|何|谁|哪些|哪里|哪个|哪|多少|多久|多长|多大|多高|几|如何|怎样|怎么样|怎么|为什么|为何|是否|能否|可否"
    r"|有没有|是不是|能不能|可不可以|吗|点解|边个|几时|几多)"
)
_CONJUNCTION = r"(?:以及|并且|而且|另外|同时|还有|并|及|和|与|又|那么|那)"
_COMPARISON = r"(?:比较|对比|试比较|请比较)(?:一下)?(?P<items>.+)"
_DIFFERENCE = (
    r"(?P<items>.+?)(?:之间|两者)?(?P<aspect>在[^，]{1,20}(?:上|方面))?(?:的|有|有何|有什么|有哪些|存在|是)*(?:主要)?"
    r"(?:区别|差别|差异|不同|分别|异同|相同点|不同点|不同之处)(?:是什么|在哪里|在哪|有哪些|为何|何在|吗|呢|点)?"
)
_PRONOUN = r"(?:它们|他们|她们|它|其|他|她|这个|这些|该|此|这)"

# Attributes of something else, which the noun itself does not name.
_ATTRIBUTE_NOUN = (
    r"(?:期限|期间|金额|数额|费用|方式|程序|条件|原因|后果|时间|地点|比例|上限|下限|罚款|手续|理由|步骤|流程|限期)"
)


def split_question(question: str, max_questions: int) -> list[str]:
    """Split a question into sub-questions, each completed by the one before."""
    parts: list[str] = []
    for sentence in re.findall(r"[^？?；;。]+[？?；;。]*", question):
        if sentence.strip(" ？?；;。"):
            parts.extend(_split_comparison(sentence) or _split_coordination(sentence.strip()))
    complete: list[str] = []
    for part in parts[:max_questions]:
        complete.append(_resolve_pronoun(part, complete[-1]) if complete else part)
    return complete


def has_question_word(question: str) -> bool:
    return re.search(_QUESTION_WORD, fold(question)) is not None


def complete_question(question: str, previous_question: str) -> str:
    """Complete a follow-up: "那香港呢？" after "新加坡的税率是多少？" becomes "香港的税率是多少？"."""
    text = _strip_punctuation(question)
    folded = fold(text)
    if match := re.fullmatch(
        r"(?:那么?|而|至于|还有)?(?P<other>[^，]{1,20}?)(?:又|则)?(?:呢|如何|怎么样|怎样)", folded
    ):
        other = text[match.start("other") : match.end("other")]
        if is_vague(other):
            return previous_question
        if not re.search(_QUESTION_WORD, fold(other)):
            return _replace_topic(previous_question, other)
    if re.fullmatch(rf"(?:那么?|又)?{_QUESTION_WORD}[^，]{{0,4}}", folded) and len(folded) <= 6:  # "为什么？"
        return f"{_find_topic(previous_question) or _strip_punctuation(previous_question)}{re.sub(r'^(?:那么?|又)', '', text)}？"
    return _resolve_pronoun(question, previous_question)


def _resolve_pronoun(question: str, previous_question: str) -> str:
    """Replace a pronoun by the topic of the question before, or put that topic before a question without a subject."""
    topic = _find_topic(previous_question)
    if not topic or re.fullmatch(_ATTRIBUTE_NOUN, fold(topic)):  # a fee is no subject, and has no date of its own
        return question
    folded = fold(question)
    pronoun = re.match(rf"(?:那么?|而|而且|并且)?(?P<this>{_PRONOUN})", folded) or re.search(
        rf"(?<=[对为给向把被由])(?P<this>{_PRONOUN})", folded
    )
    if pronoun:
        end = pronoun.end("this")
        possessive = "的" if folded[pronoun.start("this") : end] == "其" else ""
        return question[: pronoun.start("this")] + topic + possessive + question[end:]
    if re.match(rf"{_ATTRIBUTE_NOUN}(?:是|为|有)?{_QUESTION_WORD}", folded):
        return f"{topic}的{question}"
    start = re.match(rf"(?:那么?|又|应|应该|须|需要?|可以?|会|要|在)*(?={_QUESTION_WORD})", folded)
    if (
        start
        and not re.match(rf"{_QUESTION_WORD}(?:人)?[^？吗呢]*(?:的|是)", folded)
        and not re.match(r"谁|何人|哪", folded)
    ):
        return topic + question
    return question


def _find_topic(question: str) -> str:
    """Return what stands before the verb or the question word; where the question word comes first, what follows it."""
    text = _strip_punctuation(question)
    folded = fold(text)
    lead_end = _match_end(r"(?:请问|我想知道|想问|请告诉我|请说明|请解释|那么?)*", folded)
    text, folded = text[lead_end:], folded[lead_end:]
    match = re.search(rf"(?:是|为|有|应该?|须|需要?|可以?|会|要|能|由|在)*{_QUESTION_WORD}", folded)
    if match is None:
        return ""
    if match.start():
        # "押金的退还期限" stays whole; a clause before it does not belong to it
        return re.split("[，,]", text[: match.start()])[-1]
    return re.sub("^(?:是|为|為|叫|须|須|要|应|應|需)", "", text[match.end() :])


def _match_end(pattern: str, text: str) -> int:
    match = re.match(pattern, text)
    return match.end() if match else 0


def _replace_topic(previous_question: str, new_topic: str) -> str:
    """Replace the topic of a question: the owner before the first 的, else the subject."""
    topic = _find_topic(previous_question)
    if not topic or topic not in previous_question:
        return f"{_strip_punctuation(previous_question)}（{new_topic}）？"
    subject = topic.split("的")[0] if "的" in topic else topic
    return previous_question.replace(subject, new_topic, 1)


def _split_coordination(part: str) -> list[str]:
    """Split a question where a second question word begins, if both halves are questions."""
    folded = fold(part)
    pieces, start = [], 0
    for cut in re.finditer(
        rf"[，,、]{_CONJUNCTION}?|(?:以及|并且|而且|还有|及|和|与)(?=[^，]{{0,8}}?{_QUESTION_WORD})", folded
    ):
        if cut.start() < start:
            continue
        left, right = folded[start : cut.start()], folded[cut.end() :]
        clause = re.split("[，,、]", right)[0]
        if re.search(_QUESTION_WORD, left) and re.search(_QUESTION_WORD, clause) and len(left) > 2:
            pieces.append(part[start : cut.start()])
            start = cut.end()
    pieces.append(part[start:])
    return [_format_question(piece) for piece in pieces] if len(pieces) > 1 else [part]


def _split_comparison(part: str) -> list[str]:
    text = _strip_punctuation(part)
    folded = fold(text)
    match = re.fullmatch(_COMPARISON, folded) or re.fullmatch(_DIFFERENCE, folded)
    if match is None:
        return []
    compared = text[match.start("items") : match.end("items")]
    lead_end = _match_end(r"(?:请问|请说明|请解释|说明|解释|试述)?", fold(compared))
    compared = re.sub(r"(?:的)?(?:区别|差别|差异|不同|异同)$", "", compared[lead_end:])
    items = [item for item in re.split(r"[、，,]|和|与|與|跟|及|以及", compared) if item]
    if len(items) < 2:
        return []
    # In "甲和乙的责任", what follows the last item belongs to all items.
    head, particle, tail = items[-1].partition("的")
    tail = particle + tail if particle and not any("的" in item for item in items[:-1]) else ""
    items[-1] = head if tail else items[-1]
    return [f"{item}{tail}是什{_second_character_of_what(text)}？" for item in items]


def _second_character_of_what(text: str) -> str:
    """Return the second character of 什麼 in the script of the text; folding does not change Simplified text."""
    return "么" if fold(text) == text else "麼"


def _strip_punctuation(text: str) -> str:
    return text.strip(" ？?。；;，,!！")


def _format_question(piece: str) -> str:
    return _strip_punctuation(piece) + "？"
