from __future__ import annotations

from tests.browser.conftest import browser, driver  # noqa: F401 - fixtures
from tests.highlighter.client.conftest import far_away, key  # noqa: F401 - fixtures
