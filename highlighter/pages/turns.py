"""How text can stand on a page: which way it reads, and how far letters reach above and below their line."""

from __future__ import annotations

LEVEL, UP, OVER, DOWN = 0, 90, 180, 270  # how text reads on the page as stored; any other turn is SLANTED
SLANTED = -1
ASCENT, DESCENT = 0.8, 0.22  # of the font's size, where the font's own measures cannot be used
