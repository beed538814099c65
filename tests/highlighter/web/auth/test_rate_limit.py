"""Tests of rate limits by key, by address and by scope."""

from __future__ import annotations

import time

import pytest
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from highlighter.settings import Settings, SettingsError
from highlighter.web.problems import PROBLEM_MEDIA_TYPE
from tests.highlighter.web.auth.clients import client_with_key, running_app
from tests.waiting import wait_until

LIST, ASK = "/api/v1/documents", "/api/v1/answers"


@pytest.fixture
def app(tmp_path, embedder):
    with running_app(tmp_path, embedder, rate_read="3/hour", rate_answer="1/hour", rate_ingest="") as application:
        yield application


def test_each_key_has_its_own_limit_and_retry_time(app):
    first, second = client_with_key(app, "admin"), client_with_key(app, "admin")
    assert [first.get(LIST).status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = first.get(LIST)
    assert (refused.status_code, refused.mimetype) == (429, PROBLEM_MEDIA_TYPE)
    assert 3590 <= int(refused.headers["Retry-After"]) <= 3600
    assert "The limit is 3 requests of this kind per hour" in refused.json["detail"]
    assert refused.headers["Retry-After"] in refused.json["detail"]
    assert second.get(LIST).status_code == 200


def test_clock_that_is_set_back_refuses_nobody_for_longer(tmp_path, embedder, monkeypatch):
    with running_app(tmp_path, embedder, rate_read="3/second", rate_answer="1/minute") as app:
        key = client_with_key(app, "admin")
        [key.get(LIST) for _ in range(4)]
        a_day_back = time.time() - 86_400
        monkeypatch.setattr(time, "time", lambda: a_day_back)
        wait_until(lambda: key.get(LIST).status_code == 200)


def test_retry_time_is_never_longer_than_the_window(app, monkeypatch):
    """As on a shared server, whose times are by the clocks of its clients."""
    app.rate_limiter._shared_windows = MovingWindowRateLimiter(MemoryStorage())
    key = client_with_key(app, "admin")
    [key.get(LIST) for _ in range(4)]
    a_day_back = time.time() - 86_400
    monkeypatch.setattr(time, "time", lambda: a_day_back)
    assert key.get(LIST).headers["Retry-After"] == "3600"


def test_scopes_are_limited_separately(app):
    key = client_with_key(app, "admin")
    assert [key.post(ASK, json={"question": "Who?"}).status_code for _ in range(2)] == [200, 429]
    assert key.get(LIST).status_code == 200
    assert [key.delete(f"{LIST}/{number}").status_code for number in range(9)] == [404] * 9  # no limit is set


def test_limit_applies_to_pages_but_not_to_static_files(app):
    key = client_with_key(app, "admin")
    refused = [key.get("/documents") for _ in range(4)][-1]
    assert (refused.status_code, refused.mimetype) == (429, "text/html")
    assert "Try again in" in refused.text
    with key.get("/static/favicon.svg") as response:
        assert response.status_code == 200


def test_requests_without_key_are_counted_by_address(app):
    client = app.test_client()
    for address in ("127.0.0.1", "127.0.0.2"):
        statuses = [client.get(LIST, environ_base={"REMOTE_ADDR": address}).status_code for _ in range(4)]
        assert statuses == [200, 200, 200, 429]


def test_unauthenticated_requests_do_not_use_limit_of_a_key(app):
    key = client_with_key(app, "admin")
    assert {app.test_client().get(LIST).status_code for _ in range(9)} == {401}
    assert key.get(LIST).status_code == 200


@pytest.mark.parametrize(
    "rate", ["5", "5/fortnight", "-1/minute", "0/minute", "5 per minute", "5/0 minute", "5/minutes"]
)
def test_invalid_rate_in_settings_is_reported(rate):
    with pytest.raises(SettingsError, match="RATE_READ"):
        Settings.from_environment({"RATE_READ": rate})


@pytest.mark.parametrize("rate", ["5/second", "100/2 minute", "100/2minute", "9/day", "0"])
def test_valid_rates_are_accepted(tmp_path, embedder, rate):
    with running_app(
        tmp_path, embedder, **{"rate_read": Settings.from_environment({"RATE_READ": rate}).rate_read}
    ) as app:
        assert app.test_client().get(LIST).status_code == 200
