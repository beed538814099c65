"""Refusals: the standard sentences, and how to recognise other wordings in English and Chinese.

Patterns match at the start of a folded sentence: lower case, half width, Simplified. A sentence about things that are
not found, rather than about the sources, must not match.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from highlighter.text.characters import fold
from highlighter.text.language import detect_chinese_script
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.sentences.list_markers import ITEM_MARK

# --- English -------------------------------------------------------------------------------------------------------------

# Nouns for sources. "Contract" and "lease" are left out: that a contract says nothing is an answer.
_MATERIAL = (
    r"(?:sources?|documents?|contexts?|passages?|excerpts?|texts?|materials?|references?|extracts?|snippets?|files?"
    r"|information|search results|(?:source|reference) (?:texts?|materials?|documents?))"
)
_GIVEN = (
    r"(?:(?:provided|given|available|supplied|retrieved|cited|above|attached|listed|uploaded|present|current|relevant"
    r"|you(?:'ve| have)? (?:provided|given|shared))\s+)*"
)
_GIVEN_AFTER = r"(?:\s+(?:that )?(?:you(?:'ve| have)? )?(?:were |was )?(?:provided|given|supplied|available|retrieved|above|here))*"
_SOURCES = rf"(?:(?:any |none |all )?(?:of )?(?:the|these|this|those|your|my)\s+)?{_GIVEN}{_MATERIAL}{_GIVEN_AFTER}"
_NOT = r"(?:does not|do not|did not|doesn't|don't|didn't|cannot|can not|can't|fails? to|failed to|never)"
_TELL_VERB = (
    r"(?:contain|mention|state|say|provide(?!s? for\b)|address|answer|specify|include|discuss|cover|give|indicate|offer|tell"
    r"|reveal|explain|describe|disclose|have(?! to\b)|hold|list|refer|speak|touch|deal|(?:allow|permit) (?:me|us|one) to)"
)
_TELL_VERB_INFLECTED = (
    r"(?:\w+ )?(?:contain|mention|state|say|provide|address|answer|specif|include|discuss|cover|give|indicate|tell)\w*"
)
_ADVERBS = (
    r"(?:(?:explicitly|directly|specifically|clearly|actually|in fact|at all|currently|also|appear to|seem to)\s+)*"
)
_ANSWER_VERB = (
    r"(?:answer|find|determine|locate|tell|say|provide|give|confirm|identify|establish|ascertain|respond|help|assist"
    r"|comply|fulfil+|offer|discuss|be (?:answered|determined|found|established|confirmed))"
)
_LEAD = (
    r"(?:(?:(?:i'?m|i am|we(?:'re| are))\s+(?:very |so |really )?(?:sorry|afraid)(?:\s*,?\s*(?:but|that))?"
    r"|sorry|unfortunately|regrettably|apologies|i apologi[sz]e|(?:however|but|so|thus|therefore|as such)"
    rf"|(?:based|relying) (?:only |solely )?(?:up)?on {_SOURCES}"
    rf"|(?:according to|from|in|given|with|having reviewed|after reviewing) {_SOURCES}"
    r"|as an ai(?: language)?(?: model| assistant)?|in short|in summary)\s*[,:;—-]*\s*(?:but\s+)?)*"
)
_BE_NOT = r"(?:(?:cannot|can not|can't|could not|couldn't) be|(?:is|are|was|were) not|isn't|aren't|wasn't|weren't)"
_ANSWERED = (
    r"(?:answered|found|determined|given|provided|available|stated|mentioned|addressed|contained|covered|specified|present"
    rf"|included|possible|in {_SOURCES})"
)

_SOURCE_WORDINGS = (
    rf"(?:it (?:seems|appears) that )?(?:neither|none) of {_SOURCES} {_TELL_VERB_INFLECTED}",
    rf"(?:it (?:seems|appears) that )?{_SOURCES} {_NOT} {_ADVERBS}{_TELL_VERB}\b",
    rf"{_SOURCES} (?:is|are) (?:silent|insufficient|not (?:sufficient|enough))",
    rf"{_SOURCES} (?:lacks?|(?:contains?|has|have|holds?|provides?|gives?|makes?|offers?) no(?:thing|ne)?\b)",
    rf"(?:there is )?nothing in {_SOURCES} (?:{_TELL_VERB_INFLECTED}|suggests?|helps?|about|on|to|that)\b",
)
_WRITER_WORDINGS = (
    rf"i (?:{_NOT}|(?:am|was) (?:not able|unable) to|could not|couldn't) {_ADVERBS}{_ANSWER_VERB}\b",
    rf"(?:we|you|one) (?:{_NOT}|(?:are|were|is) (?:not able|unable) to|could not) {_ADVERBS}(?:answer|determine|tell|say)\b",
    r"(?:i|we) (?:do not|don't) (?:actually )?(?:know|have (?:enough|sufficient|any|the|access|information))\b",
    r"(?:i|we) have no (?:information|way|knowledge|data|idea|source)\b",
    r"(?:i|we) (?:have )?(?:found|see|find|have) (?:no|nothing)\b",
    r"unable to (?:answer|find|determine|locate|provide|help)\b",
    r"(?:can'?t|cannot) (?:answer|determine|be (?:answered|determined))\b",
)
_INFORMATION_WORDINGS = (
    r"there (?:is|are|was|were)(?: no|n't any| not any) (?:\w+ ){0,2}"
    r"(?:information|mention|answer|details?|sources?|reference to|data (?:on|about|in)|passages?|documents?)\b",
    r"there (?:is|are)(?: not|n't) (?:enough|sufficient) (?:information|context|evidence|details?|data)\b",
    r"no (?:relevant |specific |further |such |explicit |direct |matching |suitable )*"
    r"(?:information|answer|sources?|documents?|details?|results?|passages?|mention)(?: (?:about|on|for|regarding|of|to) "
    r"[^.]{1,120}?)? (?:(?:is|are|was|were|has been|have been|could be|can be) )?"
    rf"(?:found|available|provided|contained|located|stated|in {_SOURCES})\b",
    r"no (?:relevant )?(?:information|answer|sources?|results?|documents?)(?: found)?(?=\W*$)",
    r"(?:insufficient|not enough) (?:information|context|evidence|data|details?)\b",
)
_QUESTION_WORDINGS = (
    rf"(?:this|the|your|that) (?:question|answer|information|detail|query|request)s?(?: (?:to|for) [^,.]{{1,80}}?)? {_BE_NOT} {_ADVERBS}{_ANSWERED}\b",
    r"(?:it is|it's) not (?:possible|clear|stated|mentioned|specified)(?: to (?:answer|determine|say|tell|find))?"
    rf"[^.]{{0,80}}\b(?:from|in|by|based on|with) {_SOURCES}",
    r"(?:it is|it's) (?:not possible|impossible) to (?:answer|determine|say|tell)\b",
    rf"not (?:found|mentioned|stated|specified|answered|available|given|provided|addressed) (?:in|by|within) {_SOURCES}",
    r"(?:not (?:found|answered|available|mentioned|stated|specified)|n/a|unknown|unanswerable|no answer)(?=\W*$)",
)
ENGLISH_REFUSAL = compile_later(
    rf"{_LEAD}(?:{'|'.join((*_SOURCE_WORDINGS, *_WRITER_WORDINGS, *_INFORMATION_WORDINGS, *_QUESTION_WORDINGS))})"
)

# --- Chinese -------------------------------------------------------------------------------------------------------------

_ZH_SOURCES = (
    r"(?:(?:根据|依据|按照|从|在|基于)?(?:您|你|我)?(?:所|已|目前|现有|现存|上述|以上|这些|该|该些|本|各|全部|所有|当前|相关|有关)*"
    r"(?:提供|给出|给定|检索到|检索|引用|列出|上传|获得|得到|找到)?(?:的)?"
    r"(?:资料来源|信息来源|来源资料|参考资料|来源|资料|文件|文档|文本|文章|材料|上下文|内容|段落|片段|信息|资讯|数据|条文)"
    r"(?:中|里|内|当中|之中|内容|本身)*(?:，|,|来看|而言)*)"
)
_ZH_NOT = r"(?:均|都|也|并|皆|似乎|显然|完全)*(?:没有|并未|并无|未有|未能|未曾|未|无法|不能|没|不(?=包含|包括|涉及|含有|足以|足够))"
_ZH_TELL = (
    r"(?:明确|直接|具体|清楚|足够|充分|任何|详细|有)*地?(?:回答|提及|提到|提供|包含|包括|含有|涉及|说明|指出|记载|载明|给出|涵盖"
    r"|写明|列明|谈及|谈到|描述|解释|讨论|显示|表明|解答|交代|找到|足以|足够|相关|有关|关于|找到|答案|说|信息|内容)"
)
_ZH_LEAD = (
    r"(?:很抱歉|非常抱歉|抱歉|对不起|不好意思|很遗憾|遗憾的是|遗憾|可惜|不过|但是|但|然而|因此|所以|总之|，|,|：|:|地)*"
)
_ZH_CANNOT = r"(?:实在|暂时|目前|也|就|便)*(?:无法|不能|没法|没办法|未能|难以)"
_ZH_NOT_FOUND = r"(?:没有|没|未能|未|找不到|查不到|无法)(?:找到|查到|发现|检索到|搜索到|见到)?"
# "Where it cannot be determined, ..." is a condition and no refusal.
_NO_CONDITION = r"(?![^，。]*(?:时|者|则|的话)(?:，|,|$))"

_CHINESE_WORDINGS = (
    rf"(?:(?:这个|该|此)?问题在)?{_ZH_SOURCES}{_ZH_NOT}{_ZH_TELL}(?!者|的[^资信内答]|，?则|时)",
    rf"(?:{_ZH_SOURCES}|我们?)*{_ZH_CANNOT}(?:(?:根据|依据|从|在|由|基于)[^，。]{{0,30}}?)?"
    rf"(?:回答|解答|确定|得知|判断|确认|得出|作答|答复){_NO_CONDITION}",
    rf"我们?(?:{_ZH_SOURCES})?{_ZH_CANNOT}[^，。]{{0,30}}?(?:找到|提供|给出|查到|协助|帮)",
    rf"(?:我们?)?(?:在[^，。]{{0,20}}(?:中|里|内))?{_ZH_NOT_FOUND}(?:任何|足够|相关|有关|充分|具体|直接)+(?:的)?(?:于[^，。]{{0,40}})?"
    r"[^，。]{0,30}?(?:信息|资料|内容|答案|来源|文件|资讯|记录|记载|说明|文档|依据|数据)",
    r"我们?(?:并)?(?:不知道|不清楚)|不知道(?=$|，|答案)",
    r"(?:信息|资料|资讯|证据|数据|上下文|内容)(?:不足|不够|不充分)(?!的|者)",
    r"(?:这个|该|此|这|您的|你的)?(?:问题|答案|信息)(?:无法|不能|没有|未能|未|并未|没)(?:根据|从|在|由|被|于)?[^，。]{0,25}?"
    r"(?:回答|找到|确定|提及|提到|说明|作答|得出|记载|解答)",
    r"(?:未找到|找不到|没有找到|没找到|查无|未提及|没有提及|未提到|没有提到)(?=$|，|此|该|这|相关|有关|任何|答案|资料)",
    r"文中(?:并)?(?:未|没有)(?:提|说|回答|涉及|给出)|(?:暂)?无相关|没有答案",
)
CHINESE_REFUSAL = compile_later(f"{_ZH_LEAD}(?:{'|'.join(_CHINESE_WORDINGS)})")

# --- Sentences that may follow a refusal -----------------------------------------------------------------------------------

# A sentence with a citation is a refusal only when it mentions the sources themselves.
SOURCE_MENTION = compile_later(
    rf"\b{_MATERIAL.replace('|information', '')}\b|\bi\b|来源|资料|文件|文档|文本|材料|上下文|文中|我"
)

COURTESY = compile_later(
    r"(?:i(?:'m| am) sorry|sorry|unfortunately|thank you[^.]*|thanks[^.]*|(?:很|非常)?抱歉|对不起|您好|你好)"
)
# In "..., but they say that ...", only the second half counts.
CONTRAST_CLAUSE = compile_later(
    r"[,;，；]\s*(?:but|however|although|though|only that|except|yet|但|不过|然而|只|仅)(.*)", re.DOTALL
)
CONTRAST_START = compile_later(
    r"(?:however|but|nevertheless|nonetheless|that said|still|instead|yet|although|though|不过|但|然而|只是|可是)"
)
# An offer of help, or advice to look elsewhere. Other advice ("you should pay") is an answer.
_SEEK_VERB = (
    r"(?:consult|contact|check|ask|refer|see|review|read|rephrase|reword|clarify|specify|provide|share|upload|send|add|supply"
    r"|attach|try|seek|search|look|verify|let me know|feel free|help|assist|reach out|get in touch)"
)
HELP_OFFER = compile_later(
    rf"(?:however|instead|but|so|and)?,? ?(?:(?:please|kindly)(?: also)? {_SEEK_VERB}|{_SEEK_VERB}\b"
    rf"|(?:you|we) (?:may|might|can|could|should|would|will)(?: want| wish| need| have)?(?: to)?(?: also| always)? {_SEEK_VERB}"
    r"|(?:please )?if you (?:can|could|have|need|want|wish|would like|provide|share|upload|let me know|tell)"
    rf"|i (?:can|could|would|will|'d|'ll) (?:be (?:happy|glad) to |gladly )?(?:try to )?{_SEEK_VERB}"
    rf"|i (?:would )?(?:recommend|suggest|advise)(?: that you| you)?(?: to)? ?{_SEEK_VERB}\w*|would you like"
    r"|(?:more|further|additional) (?:information|context|details?|documents?|sources?) (?:is|are|would be|may be) (?:needed|required|necessary))"
    r"|(?:请|建议|如果您|如果你|如需|您可|你可|如有|欢迎).*(?:咨询|联系|联络|查|参考|参阅|提供|上传|补充|询问|请教|了解|说明|告诉|告知|澄清|更多|帮)"
)
# A statement of what the sources are about instead.
SOURCE_TOPIC_STATEMENT = compile_later(
    rf"{_LEAD}(?:{_SOURCES}|they|it) (?:only |mainly |merely |primarily |just |all |instead )*"
    r"(?:discuss|cover|mention|concern|deal|focus|describe|talk|contain|refer|relate|address|are about|is about|speak)"
    r"|.{0,20}(?:只|仅|主要)(?:是)?(?:提及|提到|涉及|讨论|说明|介绍|包含|关于|涵盖|谈)"
)
# Words after a refusal, in the same sentence, are told apart at these signs.
_TAIL_SEPARATOR = compile_later(r"[,;:，；：、()（）]|\s[–—-]+\s|\s(?=(?:and|so|but|because|since)\b)")
_INDIRECT_QUESTION = compile_later(r"(?:(?:and|or|nor) )?(?:who|whom|whose|what|when|where|whether|how|why|if)\b")
_NOT_ANSWERED = compile_later(rf"(?:it|this|that|they|which) {_BE_NOT} {_ADVERBS}{_ANSWERED}\b")
_STATEMENT = compile_later(
    r"\d|\b(?:is|are|was|were|has|had|will|would|shall|must|may|might|should|means?|costs?|pays?|owes?|says?|states?)\b"
    r"|[是为须应达]|必|可以|不得|不能|支付|等于"
)
_REPORTED_STATEMENT = compile_later(rf"\bthat\b.*(?:{_STATEMENT.pattern})|\d")


# --- Standard refusals, and recognition ------------------------------------------------------------------------------------

REFUSAL = "The sources do not answer this question."
# Without REFUSAL_TEXT, extractive answers refuse in the language of the question; a model is asked for the English
# sentence only.
REFUSALS_BY_LANGUAGE = {"": REFUSAL, "zh-Hant": "資料來源沒有回答這個問題。", "zh-Hans": "资料来源没有回答这个问题。"}

# Refusals are short: a longer text holds an answer.
MAX_REFUSAL_CHARACTERS = 700

_MARKER = compile_later(r"\[\[?[^\[\]\n]{1,200}\]?\]|【[^【】\n]{1,200}】|[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_MARKUP = compile_later(rf"[*_`>#\"]+|(?m:^\s*{ITEM_MARK}\s+)")
_SENTENCE_END = compile_later(r"(?<=[.!?])\s+|(?<=[。！？!?])|\n+")


_REFUSAL_PLACEHOLDER = compile_later(r"(?<!\$)\$(?:refusal\b|\{refusal\})")


def choose_refusal(question: str, refusal_text: str = "") -> str:
    """Return the refusal of a service, or else the standard one in the language of the question."""
    return refusal_text or REFUSALS_BY_LANGUAGE[detect_chinese_script(question)]


def fill_refusal(templates: Mapping[str, str], refusal_text: str) -> dict[str, str]:
    """Return the prompt templates with the refusal of a service in place of the standard one."""
    escaped = refusal_text.replace("$", "$$")
    return {name: _REFUSAL_PLACEHOLDER.sub(lambda _: escaped, text) for name, text in templates.items()}


def is_refusal(text: str, refusal_text: str = "") -> bool:
    """Return whether a text answers nothing. A partial answer, or a sentence about things not found, is no refusal.

    A text that states something after a refusal is none, either. `refusal_text` is the refusal of the service, if it has
    one of its own.
    """
    if not text.strip():
        return True
    if len(text) > MAX_REFUSAL_CHARACTERS + len(refusal_text):
        return False
    phrases = _list_refusal_phrases(refusal_text)
    sentences = _split_sentences(text)
    while sentences and sentences[0][0] not in phrases and COURTESY.fullmatch(sentences[0][0]):
        del sentences[0]
    if not sentences or not _is_refusal_sentence(*sentences[0], phrases):
        return False
    return all(_is_filler_sentence(sentence, has_citation, phrases) for sentence, has_citation in sentences[1:])


def adds_to_refusal(text: str, refusal_text: str = "") -> bool:
    """Return whether a text begins with the standard refusal, or that of the service, and states something after it."""
    sentences = _split_sentences(text[: MAX_REFUSAL_CHARACTERS + len(refusal_text)])
    begins_with_refusal = sentences and sentences[0][0].startswith(tuple(_list_refusal_phrases(refusal_text)))
    return bool(begins_with_refusal) and not is_refusal(text, refusal_text)


def _split_sentences(text: str) -> list[tuple[str, bool]]:
    """Return each sentence without markers, markup and outer punctuation, and whether it had a marker."""
    parts = (part for part in _SENTENCE_END.split(_MARKUP.sub("", fold(text))))
    sentences = ((_strip_sentence(part), _MARKER.search(part) is not None) for part in parts)
    return [(sentence, has_citation) for sentence, has_citation in sentences if sentence]


def _strip_sentence(sentence: str) -> str:
    return " ".join(_MARKER.sub("", sentence).split()).strip(" .!?。！？,，:：;；'()（）「」『』")


def _is_refusal_sentence(sentence: str, has_citation: bool, phrases: frozenset[str]) -> bool:
    if sentence in phrases:
        return True
    match = ENGLISH_REFUSAL.match(sentence) or CHINESE_REFUSAL.match(sentence)
    if match is None or (has_citation and not SOURCE_MENTION.search(sentence)):
        return False
    contrast = CONTRAST_CLAUSE.search(sentence, match.end())
    if contrast is not None and not _claims_nothing(contrast[1].strip()):
        return False
    return not any(map(_states_something, _TAIL_SEPARATOR.split(sentence[match.end() :])[1:]))


def _claims_nothing(clause: str) -> bool:
    """Return whether a clause refuses, offers help or says what the sources are about."""
    if ENGLISH_REFUSAL.match(clause) or CHINESE_REFUSAL.match(clause) or _NOT_ANSWERED.match(clause):
        return True
    if _REPORTED_STATEMENT.search(clause):
        return False
    return bool(HELP_OFFER.match(clause) or (not CONTRAST_START.match(clause) and SOURCE_TOPIC_STATEMENT.match(clause)))


def _states_something(clause: str) -> bool:
    """Return whether a clause after a refusal, in the same sentence, states something."""
    clause = re.sub(r"^(?:and|or|so|but|because|since|as)\b", "", clause.strip()).strip()
    return (
        _STATEMENT.search(clause) is not None and not _INDIRECT_QUESTION.match(clause) and not _claims_nothing(clause)
    )


def _is_filler_sentence(sentence: str, has_citation: bool, phrases: frozenset[str]) -> bool:
    if _is_refusal_sentence(sentence, has_citation, phrases):
        return True
    if has_citation or not _claims_nothing(sentence):
        return False
    return not any(map(_states_something, _TAIL_SEPARATOR.split(sentence)[1:]))


@lru_cache(maxsize=8)
def _list_refusal_phrases(refusal_text: str) -> frozenset[str]:
    """Return the sentences of the standard refusals and of the service's own, as `_split_sentences` gives them."""
    texts = (*REFUSALS_BY_LANGUAGE.values(), refusal_text)
    return frozenset(sentence for text in texts for sentence, _ in _split_sentences(text))
