"""Find readings beside characters (furigana, bopomofo): they belong to no sentence."""

from __future__ import annotations

import numpy as np

from ingest.readers.pdf.glyphs import Glyphs, to_codepoints

_MAX_SIZE_RATIO = 0.65  # of a reading to the character that it stands beside
_MIN_RISE_EMS, _MAX_RISE_EMS = 0.55, 1.7  # above the character's baseline
_MAX_SIDE_EMS = 1.5  # between their middles: a reading may be wider than its character
_MAX_PAIRS = 4_000_000  # compared; a page with more is left as it is


def find_readings(glyphs: Glyphs) -> np.ndarray:
    """Return which characters are small readings above Chinese characters (beside them in vertical text)."""
    is_reading = np.zeros(len(glyphs.text), bool)
    codes = to_codepoints(glyphs.text)
    if not (codes >= 0x3041).any():
        return is_reading
    is_kana = ((codes >= 0x3041) & (codes <= 0x30FF)) | ((codes >= 0x3105) & (codes <= 0x312F))
    is_han = ((codes >= 0x3400) & (codes <= 0x9FFF)) | (codes == 0x3005)
    han = np.flatnonzero(is_han & glyphs.solid)
    if not len(han) or not is_kana.any():
        return is_reading
    is_small = is_kana & glyphs.solid & (glyphs.size <= _MAX_SIZE_RATIO * float(glyphs.size[han].max()))
    kana = np.flatnonzero(is_small)
    if not len(kana) or len(kana) * len(han) > _MAX_PAIRS:
        return is_reading
    middle = (glyphs.box[:, 0] + glyphs.box[:, 2]) / 2
    size = glyphs.size[han]
    rise = (glyphs.base[han] - glyphs.base[kana][:, None]) / size
    side = np.abs(middle[han] - middle[kana][:, None]) / size
    ratio = glyphs.size[kana][:, None] / size
    is_same_turn = glyphs.turn[han] == glyphs.turn[kana][:, None]
    is_above = is_same_turn & (ratio <= _MAX_SIZE_RATIO) & (rise > _MIN_RISE_EMS) & (rise < _MAX_RISE_EMS)
    # Small print has characters as small as its kana on the same line; readings have none.
    is_print = is_same_turn & (ratio > _MAX_SIZE_RATIO) & (np.abs(rise) < 0.3) & (side < 4)
    is_reading[kana] = (is_above & (side < _MAX_SIDE_EMS)).any(axis=1) & ~is_print.any(axis=1)
    return is_reading
