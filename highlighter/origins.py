"""Origins: whose page it is, as a browser writes it. What people write instead is put into that form, where it means one."""

from __future__ import annotations

import re

# A scheme, a host, perhaps a port, in the letters that browsers write them with; nothing else ends up in a header.
_ORIGIN = re.compile(r"(https?)://([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?/?")
_USUAL = {"http": "80", "https": "443"}  # ports that browsers leave out


def as_origin(written: str) -> str:
    """In lower case, without a slash at its end or the usual port; raises ValueError for what is none."""
    found = _ORIGIN.fullmatch(written.lower())
    if not found:
        raise ValueError(
            f"{written!r} is no origin: it must be scheme://host or scheme://host:port, such as https://chat.example "
            "or http://localhost:5500, without a path"
        )
    scheme, host, port = found.groups()
    return f"{scheme}://{host}" + (f":{port}" if port and port != _USUAL[scheme] else "")
