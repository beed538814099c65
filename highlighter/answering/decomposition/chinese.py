"""Chinese questions, Traditional and Simplified, divided and made complete by rule. Folding keeps lengths, so what is found
in the folded text is cut out of the text as it was written."""

from __future__ import annotations

import re

from highlighter.text.characters import fold

# What asks.
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

# What something else has: by itself it does not say of what.
_ATTRIBUTE_NOUN = (
    r"(?:期限|期间|金额|数额|费用|方式|程序|条件|原因|后果|时间|地点|比例|上限|下限|罚款|手续|理由|步骤|流程|限期)"
)


def split_question(question: str, max_questions: int) -> list[str]:
    found: list[str] = []
    for part in re.findall(r"[^？?；;。]+[？?；;。]*", question):
        if part.strip(" ？?；;。"):
            found.extend(_split_comparison(part) or _split_coordination(part.strip()))
    complete: list[str] = []
    for one in found[:max_questions]:
        complete.append(_resolve_pronoun(one, complete[-1]) if complete else one)
    return complete


def complete_question(question: str, previous_question: str) -> str:
    """ "那香港呢？" after "新加坡的税率是多少？": "香港的税率是多少？"."""
    asked = _strip_punctuation(question)
    folded = fold(asked)
    if match := re.fullmatch(
        r"(?:那么?|而|至于|还有)?(?P<other>[^，]{1,20}?)(?:又|则)?(?:呢|如何|怎么样|怎样)", folded
    ):
        other = asked[match.start("other") : match.end("other")]
        if not re.search(_QUESTION_WORD, fold(other)):
            return _replace_topic(previous_question, other)
    if re.fullmatch(rf"(?:那么?|又)?{_QUESTION_WORD}[^，]{{0,4}}", folded) and len(folded) <= 6:  # "为什么？"
        return f"{_find_topic(previous_question) or _strip_punctuation(previous_question)}{re.sub(r'^(?:那么?|又)', '', asked)}？"
    return _resolve_pronoun(question, previous_question)


def _resolve_pronoun(question: str, previous_question: str) -> str:
    """The word that points back is spelt out; of a question that begins with what asks, the subject is put before it."""
    topic = _find_topic(previous_question)
    if not topic or re.fullmatch(_ATTRIBUTE_NOUN, fold(topic)):  # a fee does nothing, and has no date of its own
        return question
    folded = fold(question)
    found = re.match(rf"(?:那么?|而|而且|并且)?(?P<this>{_PRONOUN})", folded) or re.search(
        rf"(?<=[对为给向把被由])(?P<this>{_PRONOUN})", folded
    )
    if found:
        end = found.end("this")
        owns = "的" if folded[found.start("this") : end] == "其" else ""
        return question[: found.start("this")] + topic + owns + question[end:]
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
    """What stands before the verb or the word that asks; or, where that comes first, what it asks about."""
    asked = _strip_punctuation(question)
    folded = fold(asked)
    folded_from = re.match(r"(?:请问|我想知道|想问|请告诉我|请说明|请解释|那么?)*", folded).end()
    asked, folded = asked[folded_from:], folded[folded_from:]
    found = re.search(rf"(?:是|为|有|应该?|须|需要?|可以?|会|要|能|由|在)*{_QUESTION_WORD}", folded)
    if found is None:
        return ""
    if found.start():
        # "押金的退还期限" stays whole; a clause before it does not belong to it
        return re.split("[，,]", asked[: found.start()])[-1]
    return re.sub("^(?:是|为|為|叫|须|須|要|应|應|需)", "", asked[found.end() :])


def _replace_topic(previous_question: str, new_topic: str) -> str:
    """What is most like it gives way: the owner before the first 的, else the subject."""
    topic = _find_topic(previous_question)
    if not topic or topic not in previous_question:
        return f"{_strip_punctuation(previous_question)}（{new_topic}）？"
    subject = topic.split("的")[0] if "的" in topic else topic
    return previous_question.replace(subject, new_topic, 1)


def _split_coordination(part: str) -> list[str]:
    """Cut where a second thing that asks begins, when both halves ask."""
    folded = fold(part)
    pieces, start = [], 0
    for cut in re.finditer(
        rf"[，,、]{_CONJUNCTION}?|(?:以及|并且|而且|还有|及|和|与)(?=[^，]{{0,8}}?{_QUESTION_WORD})", folded
    ):
        if cut.start() < start:
            continue
        left, right = folded[start : cut.start()], folded[cut.end() :]
        here = re.split("[，,、]", right)[0]
        if re.search(_QUESTION_WORD, left) and re.search(_QUESTION_WORD, here) and len(left) > 2:
            pieces.append(part[start : cut.start()])
            start = cut.end()
    pieces.append(part[start:])
    return [_format_question(piece) for piece in pieces] if len(pieces) > 1 else [part]


def _split_comparison(part: str) -> list[str]:
    asked = _strip_punctuation(part)
    folded = fold(asked)
    match = re.fullmatch(_COMPARISON, folded) or re.fullmatch(_DIFFERENCE, folded)
    if match is None:
        return []
    said = asked[match.start("items") : match.end("items")]
    trimmed = re.match(r"(?:请问|请说明|请解释|说明|解释|试述)?", fold(said)).end()
    said = re.sub(r"(?:的)?(?:区别|差别|差异|不同|异同)$", "", said[trimmed:])
    items = [one for one in re.split(r"[、，,]|和|与|與|跟|及|以及", said) if one]
    if len(items) < 2:
        return []
    # "甲和乙的责任": what follows the last one belongs to all
    head, of, tail = items[-1].partition("的")
    tail = of + tail if of and not any("的" in item for item in items[:-1]) else ""
    items[-1] = head if tail else items[-1]
    return [f"{item}{tail}是什{_second_character_of_what(asked)}？" for item in items]


def _second_character_of_what(text: str) -> str:
    """The second character of 什麼, as the question would write it: folding leaves Simplified as it is."""
    return "么" if fold(text) == text else "麼"


def _strip_punctuation(text: str) -> str:
    return text.strip(" ？?。；;，,!！")


def _format_question(piece: str) -> str:
    return _strip_punctuation(piece) + "？"
