"""What an embedded viewer costs its reader: bytes, requests, and the time to the first mark."""
