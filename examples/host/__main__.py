"""python -m examples.host, with HIGHLIGHTER_URL, HIGHLIGHTER_KEY (none on loopback) and PORT."""

from __future__ import annotations

import os
from contextlib import suppress

from examples.host.server import USUAL, host

if __name__ == "__main__":
    address, key = os.environ.get("HIGHLIGHTER_URL", USUAL), os.environ.get("HIGHLIGHTER_KEY", "")
    with host(int(os.environ.get("PORT", "5500")), address, key) as server, suppress(KeyboardInterrupt):
        print(f"The host page is at http://localhost:{server.server_port}  (Highlighter at {address})", flush=True)
        server.serve_forever()
