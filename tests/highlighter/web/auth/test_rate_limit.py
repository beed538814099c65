from __future__ import annotations

import pytest

from highlighter.settings import Settings, SettingsError
from highlighter.web.problems import PROBLEM_MEDIA_TYPE
from tests.highlighter.web.auth.clients import served, with_key

LIST, ASK = "/api/v1/documents", "/api/v1/answers"


@pytest.fixture
def app(tmp_path, embedder):
    with served(tmp_path, embedder, rate_read="3/hour", rate_answer="1/hour", rate_ingest="") as made:
        yield made


def test_each_key_has_its_own_measure_and_is_told_when_to_come_again(app):
    one, other = with_key(app, "admin"), with_key(app, "admin")
    assert [one.get(LIST).status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = one.get(LIST)
    assert (refused.status_code, refused.mimetype) == (429, PROBLEM_MEDIA_TYPE)
    assert 3590 <= int(refused.headers["Retry-After"]) <= 3600
    assert "The limit is 3 requests of this kind per hour" in refused.json["detail"]
    assert refused.headers["Retry-After"] in refused.json["detail"]
    assert other.get(LIST).status_code == 200


def test_answering_is_measured_apart_from_reading(app):
    key = with_key(app, "admin")
    assert [key.post(ASK, json={"question": "Who?"}).status_code for _ in range(2)] == [200, 429]
    assert key.get(LIST).status_code == 200
    assert [key.delete(f"{LIST}/{number}").status_code for number in range(9)] == [404] * 9  # no limit is set


def test_pages_are_measured_too_and_say_so_to_people(app):
    key = with_key(app, "admin")
    refused = [key.get("/documents") for _ in range(4)][-1]
    assert (refused.status_code, refused.mimetype) == (429, "text/html")
    assert "Try again in" in refused.text
    with key.get("/static/favicon.svg") as free:
        assert free.status_code == 200


def test_without_keys_it_is_counted_by_address(app):
    client = app.test_client()
    for address in ("127.0.0.1", "127.0.0.2"):
        answered = [client.get(LIST, environ_base={"REMOTE_ADDR": address}).status_code for _ in range(4)]
        assert answered == [200, 200, 200, 429]


def test_who_is_refused_for_want_of_a_key_uses_nobody_s_measure(app):
    key = with_key(app, "admin")
    assert {app.test_client().get(LIST).status_code for _ in range(9)} == {401}
    assert key.get(LIST).status_code == 200


@pytest.mark.parametrize(
    "said", ["5", "5/fortnight", "-1/minute", "0/minute", "5 per minute", "5/0 minute", "5/minutes"]
)
def test_a_rate_that_is_none_is_named(said):
    with pytest.raises(SettingsError, match="RATE_READ"):
        Settings.from_environment({"RATE_READ": said})


@pytest.mark.parametrize("said", ["5/second", "100/2 minute", "100/2minute", "9/day", "0"])
def test_rates_that_are_understood_are_counted(tmp_path, embedder, said):
    with served(tmp_path, embedder, **{"rate_read": Settings.from_environment({"RATE_READ": said}).rate_read}) as app:
        assert app.test_client().get(LIST).status_code == 200
