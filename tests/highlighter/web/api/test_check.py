"""POST /api/v1/check: any system's answer held against its sources."""

import pytest

TEXT = "Payment is due within 28 days of receipt of the invoice. The Contractor shall not work at night."


def check(client, **body):
    return client.post("/api/v1/check", json=body)


def test_an_answer_is_checked_claim_by_claim(client):
    answer = "Payment is due within 14 days of receipt of the invoice [1]. The Contractor shall not work at night [1]."
    got = check(client, answer=answer, sources=[{"text": TEXT, "filename": "c.txt"}], append_warnings=True).json
    assert [claim["verdict"] for claim in got["claims"]] == ["contradicted", "supported"]
    assert got["claims"][0]["why"] == "The source says 28 days where the claim says 14 days."
    assert answer[got["claims"][0]["start"] : got["claims"][0]["end"]].startswith("Payment is due within 14")
    evidence = got["claims"][1]["evidence"][0]
    assert TEXT[evidence["start"] : evidence["end"]] == evidence["text"]
    assert (got["grounded"], got["confidence_level"]) == (False, "high")
    assert got["ungrounded_claims"] == ["Payment is due within 14 days of receipt of the invoice."]
    assert got["text"].startswith(answer + "\n\n⚠ Contradicted by the sources")
    assert 0 < got["grounding_score"] < 1


def test_documents_and_chunks_are_sources_too(client, note):
    for source in ({"document_id": note.id}, {"document_id": note.id, "chunk_index": 0}):
        got = check(client, answer="Tickets cost four pounds and are sold on board.", sources=[source]).json
        assert (got["grounded"], got["text"]) == (True, None)
        assert got["claims"][0]["evidence"][0]["document_id"] == note.id


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({}, 400, "answer is missing"),
        ({"answer": "It is so.", "sources": []}, 400, "at least one source"),
        ({"answer": " ", "sources": [{"text": TEXT}]}, 400, "Give an answer"),
        ({"answer": "It is so.", "sources": [{"text": "  "}]}, 400, "Source 1 has no text"),
        ({"answer": "It is so.", "sources": [{}]}, 400, "either text, or document_id"),
        ({"answer": "It is so.", "sources": [{"text": TEXT, "document_id": "a"}]}, 400, "either text, or document_id"),
        ({"answer": "It is so.", "sources": [{"text": TEXT, "chunk_index": 0}]}, 400, "needs a document_id"),
        ({"answer": "It is so.", "sources": [{"document_id": "nowhere"}]}, 404, "Document nowhere was not found"),
        ({"answer": "x" * 100_001, "sources": [{"text": TEXT}]}, 400, "100,001 characters"),
        ({"answer": "It is so.", "sources": "c.txt"}, 400, "sources"),
        ({"answer": "It is so.", "sources": [{"text": TEXT}], "colour": "red"}, 400, "colour"),
    ],
)
def test_a_wrong_request_is_a_problem_that_says_what_is_wrong(client, body, status, says):
    answer = check(client, **body)
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    assert says in answer.get_data(as_text=True)


def test_half_a_character_is_read_as_the_sign_for_none(client):
    said = "Payment is due \\ud83d within 28 days of receipt of the invoice."
    body = f'{{"answer": "{said}", "sources": [{{"text": "{said} It rains."}}]}}'
    checked = client.post("/api/v1/check", data=body, content_type="application/json")
    assert checked.status_code == 200
    assert checked.json["claims"][0]["evidence"][0]["text"] == said.replace("\\ud83d", "\ufffd")
