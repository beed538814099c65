from __future__ import annotations

from tests.highlighter.client.conftest import far_away, key  # noqa: F401 - fixtures
