"""Texts of e-mails that are stored as compressed RTF are unpacked, within limits."""

from __future__ import annotations

import pytest

from ingest.readers.compressed_rtf import _UNCOMPRESSED, MAX_RTF_BYTES, decompress_rtf
from tests.ingest.readers.rtf_compression import compress_rtf, wrap_rtf
from tests.properties import given, st

# The examples of MS-OXRTFCP.
EXAMPLES = {
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0": (
        b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    ),
    "1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0": b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}",
}


@pytest.mark.parametrize(("packed", "rtf"), EXAMPLES.items(), ids=len)
def test_examples_of_the_specification_are_unpacked(packed, rtf):
    assert decompress_rtf(bytes.fromhex(packed)) == rtf


def test_uncompressed_rtf_is_returned_as_it_is():
    assert decompress_rtf(wrap_rtf(b"{\\rtf1 Noon.}", 13, _UNCOMPRESSED) + b"beyond") == b"{\\rtf1 Noon.}"


@given(st.lists(st.sampled_from([b"{\\rtf1\\ansi", b"\\par ", b"noon", b"\x00", b"}" * 40, bytes(range(256)) * 20])))
def test_compressed_rtf_is_unpacked_to_what_it_was(parts):
    rtf = b"".join(parts)
    assert decompress_rtf(compress_rtf(rtf)) == rtf


PACKED = compress_rtf(b"{\\rtf1 The pilot boat leaves at noon.}")


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        PACKED[:15],
        PACKED[:-1],
        PACKED[:20] + b"X" + PACKED[21:],
        PACKED[:8] + b"LZMA" + PACKED[12:],
        wrap_rtf(b"", MAX_RTF_BYTES + 1, _UNCOMPRESSED),
    ],
    ids=["empty", "header", "cut off", "changed", "unknown kind", "too large"],
)
def test_damaged_and_too_large_rtf_is_refused(packed):
    with pytest.raises(ValueError, match="is"):
        decompress_rtf(packed)


def test_unpacked_rtf_is_no_longer_than_its_header_says():
    copies = compress_rtf(b"a" * 100_000)
    assert decompress_rtf(copies[:4] + (7).to_bytes(4, "little") + copies[8:]) == b"a" * 7
