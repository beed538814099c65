"""Decide which elements of an HTML page a browser hides: by tag, by attribute, and by the page's own style rules.

Losing visible text is worse than reading hidden text, so a rule that hides counts only where it is certain to apply, and
a rule that shows counts wherever it may apply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

# Elements whose content a browser without scripts does not show as text of the page.
_UNSHOWN_TAGS = frozenset(
    "applet area audio base canvas col colgroup datalist embed frame frameset head iframe input link map meta noembed "
    "noframes noscript object param rp rt script select source style svg template textarea title track video".split()
)
_HIDING_DECLARATION = re.compile(
    r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all|"
    r"(?:font-size|opacity)\s*:\s*0(?:\.0+)?(?:px|pt|em|rem|%)?\s*(?=[;!]|$))",
    re.IGNORECASE,
)
_SHOWING_DECLARATION = re.compile(r"(?:^|[;\s])(?:display|visibility)\s*:", re.IGNORECASE)
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_COMPOUND_SELECTOR = re.compile(r"([a-z][\w-]*|\*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_MAX_STYLE_CHARACTERS = 2_000_000


@dataclass(frozen=True, slots=True)
class _StyleRule:
    """A style rule that hides or shows the elements with a tag, an id and classes."""

    tag: str
    names: frozenset[str]  # classes as ".name", the id as "#name"
    hides: bool
    specificity: tuple[int, int, int]

    def matches(self, element: etree._Element, names: frozenset[str]) -> bool:
        return (not self.tag or element.tag == self.tag) and self.names <= names


class HiddenElements:
    """The hidden elements of one page."""

    def __init__(self, root: etree._Element):
        style = "\n".join(element.text or "" for element in root.iter("style"))[:_MAX_STYLE_CHARACTERS]
        rules = sorted(_parse_rules(style), key=lambda rule: rule.specificity)
        self._rules: dict[str, list[tuple[int, _StyleRule]]] = {}  # each under one of its names, or its tag
        if any(rule.hides for rule in rules):
            for order, rule in enumerate(rules):
                self._rules.setdefault(min(rule.names, default=rule.tag), []).append((order, rule))

    def is_hidden(self, element: etree._Element) -> bool:
        """Return whether the element itself is hidden; a child of a hidden element is not asked about."""
        return element.tag in _UNSHOWN_TAGS or self.is_styled_hidden(element)

    def is_styled_hidden(self, element: etree._Element) -> bool:
        """Return whether an attribute or a style rule hides the element itself, whatever its tag."""
        if element.get("hidden") is not None:
            return True
        style = element.get("style")
        if style and _HIDING_DECLARATION.search(style):
            return True
        if not self._rules or (style and _SHOWING_DECLARATION.search(style)):
            return False
        names = frozenset(_list_names(element))
        candidates = [candidate for key in ("", element.tag, *names) for candidate in self._rules.get(key, ())]
        _, rule = max(
            ((order, rule) for order, rule in candidates if rule.matches(element, names)),
            key=lambda match: match[0],
            default=(0, None),
        )
        return rule is not None and rule.hides


def _list_names(element: etree._Element) -> Iterator[str]:
    yield from (f".{name}" for name in element.get("class", "").split())
    if element.get("id"):
        yield f"#{element.get('id')}"


def _parse_rules(style: str) -> Iterator[_StyleRule]:
    for selectors, declarations in _iterate_rules(_CSS_COMMENT.sub("", style)):
        hides = bool(_HIDING_DECLARATION.search(declarations))
        if not hides and not _SHOWING_DECLARATION.search(declarations):
            continue
        for selector in selectors.split(","):
            *ancestors, last = re.split(r"[\s>+~]+", selector.strip()) or [""]
            compound = _COMPOUND_SELECTOR.fullmatch(last if not hides else selector.strip())
            if compound and compound[0]:
                tag = (compound[1] or "").lower().strip("*")
                names = re.findall(r"[.#][\w-]+", compound[2])
                ids = sum(name.startswith("#") for name in names)
                # Ancestors make a rule more specific; how much does not matter beside the others.
                specificity = (ids, len(names) - ids + len(ancestors), bool(tag))
                yield _StyleRule(tag, frozenset(names), hides, specificity)


def _iterate_rules(style: str) -> Iterator[tuple[str, str]]:
    """Yield (selectors, declarations) of the rules that no other rule encloses: not those for print or narrow windows."""
    depth, start, selectors = 0, 0, ""
    for brace in re.finditer("[{}]", style):
        if brace[0] == "{":
            if depth == 0:
                selectors, start = style[start : brace.start()].rpartition(";")[2], brace.end()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                if not selectors.lstrip().startswith("@"):
                    yield selectors, style[start : brace.start()]
                start = brace.end()
