from __future__ import annotations

import json

from highlighter.sign_in.people import Person


def test_people_are_listed_and_signed_out(run, services):
    assert "Nobody has signed in yet." in run("people", "list")[1]
    secret = services.people.begin_session(Person("a" * 32, "Ann Lee", frozenset()), "state", "", hours=1)
    person_id = "p-" + "a" * 14
    assert f"{person_id}  signed in 1 x  Ann Lee" in run("people", "list")[1]
    status, out, _ = run("people", "sign-out", person_id)
    assert (status, out) == (0, f"signed out {person_id}  Ann Lee: 1 session ended\n")
    assert services.people.find_session(secret) is None
    (listed,) = (json.loads(line) for line in run("people", "list", "--json")[1].splitlines())
    assert (listed["id"], listed["name"], listed["sessions"]) == (person_id, "Ann Lee", 0)
    assert run("people", "sign-out", "p-nobody")[0] == 2
