"""Forms put what a reader enters into the address: the server and the documented proxies take the longest one."""

from __future__ import annotations

from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

import httpx2
import pytest

from tests.browser.nginx import deployed_proxy, documented_proxy
from tests.browser.serving import serving
from tests.waiting import wait_until

MONTHS = ("一月", "二月", "三月", "四月", "五月", "六月", "七月", "八月")
WORKS = ("渠務", "路面", "照明", "護欄")
SENTENCE = "承辦商須於{}十五日前提交{}工程的進度報告，並列明所有延誤的原因、影響及補救措施。"
STORED_QUOTE = "".join(SENTENCE.format(month, work) for month in MONTHS for work in WORKS)  # 11,520 bytes in an address
LONGEST_QUOTE = "查" * 5000


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The URL of a server with a document whose text may be quoted at length."""
    with serving(tmp_path_factory.mktemp("served") / "data", TRUSTED_PROXIES="127.0.0.1", REQUIRE_KEYS="0") as address:
        file = {"file": ("Reports.txt", STORED_QUOTE.encode(), "text/plain")}
        httpx2.post(f"{address}/api/v1/documents", files=file, timeout=60).raise_for_status()
        wait_until(lambda: "ready" in httpx2.get(f"{address}/api/v1/documents?state=ready", timeout=60).text)
        yield address


def open_quote(address: str, quote: str) -> httpx2.Response:
    return httpx2.get(f"{address}/open?{urlencode({'quote': quote})}", timeout=60)


@pytest.mark.parametrize("proxy", [None, "documented", "deployed"])
def test_longest_quote_of_the_form_is_looked_up(site, tmp_path, proxy):
    if proxy is None:
        assert_long_quotes_are_looked_up(site)
    elif proxy == "documented":
        with documented_proxy(site, tmp_path) as address:
            assert_long_quotes_are_looked_up(address)
    else:
        with deployed_proxy([int(site.rpartition(":")[2])], tmp_path) as port:
            assert_long_quotes_are_looked_up(f"http://127.0.0.1:{port}")


def assert_long_quotes_are_looked_up(address: str) -> None:
    absent = open_quote(address, LONGEST_QUOTE)
    assert (absent.status_code, "Quote not found" in absent.text) == (404, True)
    found = open_quote(address, STORED_QUOTE)
    assert found.status_code == 302
    target = httpx2.get(httpx2.URL(address).join(found.headers["location"]), timeout=60)
    assert target.status_code == 200


def test_address_beyond_every_form_is_refused(site):
    with pytest.raises(HTTPError, match="URI Too Long"):
        urlopen(f"{site}/open?{urlencode({'quote': LONGEST_QUOTE * 2})}", timeout=60)
