"""Questions that name nothing of their own: "Can you tell me more?" asks what was asked before."""

from __future__ import annotations

import re

from highlighter.text.characters import fold
from highlighter.text.terms import STOP_WORDS, find_words, is_cjk

_VAGUE_WORDS = frozenset(
    "about again all also anything briefly clarify clear continue correct detail details elaborate else exactly example examples"
    " expand explain further general give go got happen happens help him her information just keep know let like little longer"
    " mean means meant me mind more next no not now ok okay on other please point really right say says see short show simple"
    " simply so some something specific still sum summarise summarize summary sure talk tell thank thanks thing things think"
    " too understand up us want well words yes".split()
)
# Matches the folded text: Simplified characters.
_VAGUE_CHINESE = re.compile(
    "(?:请问?|那么?|还有|再|继续|然后|接着|之后|详细|具体|多|更|说明|说说|说|讲|解释|介绍|举例|例子|一点|一下|一些|其他|别的|什么|呢|吗|吧|啊"
    "|能|可以|可否|你|您|我|给|告诉|知道|想|的|了|是|这|那个?|它|意思|总结|概括|谢谢|好|对|真|确定|会|怎样|怎么样|如何|细节|内容)+"
)


def is_vague(question: str) -> bool:
    """Return whether no word of a question says what it asks about."""
    folded = fold(question)
    words = [folded[start:end] for start, end in find_words(folded)]
    return all(_VAGUE_CHINESE.fullmatch(w) if is_cjk(w) else w in STOP_WORDS or w in _VAGUE_WORDS for w in words)
