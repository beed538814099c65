"""The paths that programs use: the API, and the shapes of other products' APIs."""

from __future__ import annotations

API_PREFIX = "/api/"
MODEL_API_PREFIXES = ("/v1/", "/v1beta/")
EXTERNAL_KNOWLEDGE_PATH = "/retrieval"  # Dify appends it to the address that it is given


def is_api_path(path: str) -> bool:
    """Return whether programs, and not people with browsers, request a path."""
    return path.startswith((API_PREFIX, *MODEL_API_PREFIXES)) or path == EXTERNAL_KNOWLEDGE_PATH
