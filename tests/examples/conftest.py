from __future__ import annotations

from tests.highlighter.client.conftest import key, remote_service  # noqa: F401 - fixtures
