"""python -m examples.host, with HIGHLIGHTER_URL, HIGHLIGHTER_KEY (none on loopback), PORT, and ORIGIN where readers
come to it by another name than http://localhost:PORT."""

from __future__ import annotations

import os
from contextlib import suppress

from examples.host.server import USUAL, host

if __name__ == "__main__":
    given = os.environ.get
    address, key = given("HIGHLIGHTER_URL", USUAL), given("HIGHLIGHTER_KEY", "")
    with host(int(given("PORT", "5500")), address, key, origin=given("ORIGIN", "")) as server:
        print(f"The host page is at {server.RequestHandlerClass.origin}  (Highlighter at {address})", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
