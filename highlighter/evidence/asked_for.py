"""What kind of thing a question wants to hear, and whether a sentence holds one that the question does not."""

from __future__ import annotations

import re

NUMBER, TIME, NAME, REASON = "number", "time", "name", "reason"

_ASKS = (
    (TIME, re.compile(
        r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|time|century|decade)\b|\bhow (?:long|soon|often|old)\b|\bdeadline\b"
        r"|什么时候|什麼時候|何时|何時|哪年|哪一年|几月|幾月|多久|年份|いつ"
        r"|\bwann\b|\bcu[aá]ndo\b|\bquand\b|\bкогда\b|в каком году|\bπότε\b|متى",
        re.IGNORECASE)),
    (NUMBER, re.compile(
        r"\bhow (?:many|much|far|tall|high|large|big|deep|wide|fast|heavy)\b|\b(?:percentage|percent|number of|amount|rate|price|cost|fee|total)\b"
        r"|多少|几个|幾個|几名|幾名|多大|多高|多远|いくつ|何人|何個"
        r"|\bwie ?viele?\b|\bcu[aá]nt[oa]s?\b|\bcombien\b|\bсколько\b|\bπόσ\w+|كم",
        re.IGNORECASE)),
    (REASON, re.compile(r"\bwhy\b|\bwhat (?:caused|causes|reason)\b|为什么|為什麼|为何|為何|原因|なぜ|\bwarum\b|por qué|\bpourquoi\b|почему", re.IGNORECASE)),
    (NAME, re.compile(
        r"\bwho(?:m|se)?\b|\bwhere\b|\b(?:what|which) (?:person|city|country|state|team|company|party|place|name|university|president)\b"
        r"|谁|誰|哪里|哪裡|何处|哪个|哪個|哪位|どこ|だれ|\bwer\b|\bwo\b|qui[eé]n|d[oó]nde|\bqui\b|\bкто\b|\bгде\b",
        re.IGNORECASE)),
)  # fmt: skip

_GIVES = {
    NUMBER: re.compile(
        r"\d|[一二三四五六七八九十百千万萬亿億两兩]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty"
        r"|forty|fifty|hundreds?|thousands?|millions?|billions?|half|dozen|percent|single|several)\b",
        re.IGNORECASE,
    ),
    TIME: re.compile(
        r"\b1\d{3}\b|\b20\d{2}\b|\d+[:.]\d\d\b|[年月日]|\b(?:january|february|march|april|may|june|july|august|september|october|november"
        r"|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|century|days?|weeks?|months?|years?|hours?|minutes?"
        r"|morning|evening|night|today|spring|summer|autumn|winter|during|until|before|after|anniversary)\b",
        re.IGNORECASE,
    ),
    REASON: re.compile(
        r"\b(?:because|since|due to|as a result|so that|in order to|therefore|thus|owing to|caused?|reason|leads? to|led to)\b"
        r"|因为|因為|由于|由於|所以|因此|导致|導致|から|ため|\bweil\b|porque|\bcar\b|потому",
        re.IGNORECASE,
    ),
    NAME: re.compile(r"(?<=[\w,;:’'\"] )[A-ZÀ-ÞΑ-ΩА-Я][\w’'-]+"),
}


def expected(question: str) -> str | None:
    for kind, asks in _ASKS:
        if asks.search(question):
            return kind
    return None


def gives(kind: str, text: str, question: str) -> bool:
    """Whether it holds such a thing beyond what the question says itself."""
    return any(found.group() not in question for found in _GIVES[kind].finditer(text))
