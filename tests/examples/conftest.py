from __future__ import annotations

from tests.browser.conftest import browser, driver  # noqa: F401 - fixtures
from tests.highlighter.client.conftest import key, remote_service  # noqa: F401 - fixtures
