"""Tests of POST /api/v1/check."""

import pytest

TEXT = "Payment is due within 28 days of receipt of the invoice. The Contractor shall not work at night."


def check(client, **body):
    return client.post("/api/v1/check", json=body)


def test_check_gives_verdict_for_each_claim(client):
    answer = "Payment is due within 14 days of receipt of the invoice [1]. The Contractor shall not work at night [1]."
    report = check(client, answer=answer, sources=[{"text": TEXT, "filename": "c.txt"}], append_warnings=True).json
    assert [claim["verdict"] for claim in report["claims"]] == ["contradicted", "supported"]
    assert report["claims"][0]["why"] == "The source says 28 days where the claim says 14 days."
    assert answer[report["claims"][0]["start"] : report["claims"][0]["end"]].startswith("Payment is due within 14")
    evidence = report["claims"][1]["evidence"][0]
    assert TEXT[evidence["start"] : evidence["end"]] == evidence["text"]
    assert (report["grounded"], report["confidence_level"]) == (False, "medium")
    assert report["confidence"] <= report["grounding_score"]  # the evidence is good, the answer is not
    assert report["ungrounded_claims"] == ["Payment is due within 14 days of receipt of the invoice."]
    assert report["text"].startswith(answer + "\n\n⚠ Contradicted by the sources")
    assert 0 < report["grounding_score"] < 1


def test_documents_and_chunks_can_be_sources(client, note):
    for source in ({"document_id": note.id}, {"document_id": note.id, "chunk_index": 0}):
        report = check(client, answer="Tickets cost four pounds and are sold on board.", sources=[source]).json
        assert (report["grounded"], report["text"]) == (True, None)
        assert report["claims"][0]["evidence"][0]["document_id"] == note.id


def test_invented_page_of_document_gets_no_tick(client, note):
    answer = "Tickets cost four pounds and are sold on board [note.txt, p. 9]."
    for source in ({"document_id": note.id}, {"document_id": note.id, "chunk_index": 0}):
        report = check(client, answer=answer, sources=[source]).json
        (claim,) = report["claims"]
        assert (claim["verdict"], report["grounded"], report["grounding_score"]) == ("wrong_source", False, 0)
        assert claim["why"] == "It cites page 9 of note.txt, which has one page. note.txt, page 1, says this."
        assert claim["evidence"][0]["document_id"] == note.id


@pytest.mark.parametrize(
    ("body", "status", "message"),
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
def test_invalid_request_gets_problem_that_names_the_fault(client, body, status, message):
    response = check(client, **body)
    assert (response.status_code, response.mimetype) == (status, "application/problem+json")
    assert message in response.get_data(as_text=True)


def test_lone_surrogate_becomes_replacement_character(client):
    claim = "Payment is due \\ud83d within 28 days of receipt of the invoice."
    body = f'{{"answer": "{claim}", "sources": [{{"text": "{claim} It rains."}}]}}'
    response = client.post("/api/v1/check", data=body, content_type="application/json")
    assert response.status_code == 200
    assert response.json["claims"][0]["evidence"][0]["text"] == claim.replace("\\ud83d", "\ufffd")
