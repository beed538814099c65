"""The cost of an embedded viewer for its reader: bytes, requests, and the time to the first highlight."""
