"""Tests of the paths to which people are led after they have signed in."""

from __future__ import annotations

import pytest

from highlighter.sign_in.return_paths import choose_return_path


@pytest.mark.parametrize(
    "wanted",
    ["/papers/", "/papers/documents?q=a+b&x=//y", "/papers/zh-Hant/answers", "/papers/open?quote=%2F%2Fevil&at=1-2"],
)
def test_own_paths_are_kept(wanted):
    assert choose_return_path(wanted, "/papers") == wanted


@pytest.mark.parametrize(
    "wanted",
    [
        "", "/", "/papers", "/papersother/", "/other", "//evil.example/papers/", "https://evil.example/papers/",
        "/papers//evil.example", "/papers/\\evil", "\\papers/", "/papers/../other", "/papers/%2e%2E/other", "/papers/..",
        "/papers/.", "/papers/\t/x", "/papers/x\r\nSet-Cookie: a=b", "/papers/é", " /papers/", "/papers/" + "x" * 2_000,
    ],
)  # fmt: skip
def test_other_paths_lead_to_the_first_page(wanted):
    assert choose_return_path(wanted, "/papers") == "/papers/"


@pytest.mark.parametrize(
    "wanted", ["//evil.example", "/\\evil.example", "/\t/evil.example", "///evil.example", "http:evil"]
)
def test_service_at_the_root_leads_to_no_other_host(wanted):
    assert choose_return_path(wanted, "") == "/"
