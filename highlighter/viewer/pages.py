"""How pages are named: by their printed labels where there are any."""

from __future__ import annotations

from highlighter.models import Document


def page_name(document: Document, first: int, last: int = 0) -> str:
    """ "4", "4–5", or "iv" where the printed labels differ."""
    last = last or first
    names = [str(first), str(last)]
    if document.labels and len(document.labels) >= last:
        names = [document.labels[first - 1], document.labels[last - 1]]
    return names[0] if first == last else f"{names[0]}–{names[1]}"
