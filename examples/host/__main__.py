"""python -m examples.host, with HIGHLIGHTER_URL, HIGHLIGHTER_KEY (none on loopback), PORT, and ORIGIN if its public
origin is not http://localhost:PORT."""

from __future__ import annotations

import os
from contextlib import suppress

from examples.host.server import DEFAULT_SERVICE_URL, host

if __name__ == "__main__":
    read_variable = os.environ.get
    address, key = read_variable("HIGHLIGHTER_URL", DEFAULT_SERVICE_URL), read_variable("HIGHLIGHTER_KEY", "")
    with host(int(read_variable("PORT", "5500")), address, key, origin=read_variable("ORIGIN", "")) as server:
        print(f"The host page is at {server.RequestHandlerClass.origin}  (Highlighter at {address})", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
