"""Name the words with which captions of figures, tables and algorithms begin."""

from __future__ import annotations

CAPTION_WORD = r"(?:Figure|FIGURE|Fig\.|Table|TABLE|Tab\.|Abbildung|Abb\.|Tabelle|Figura|Tabla|Algorithm)"
