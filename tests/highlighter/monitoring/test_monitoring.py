"""What operators see of a service: its parts, measurements, log and traces, and that none of it holds a word of a document."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from highlighter import service_state
from highlighter.access import ADMIN
from highlighter.app import create_app
from highlighter.models import FAILED, QUARANTINED, QUEUED
from highlighter.monitoring.logs import JSON
from highlighter.monitoring.tracer import tracer
from highlighter.overload import ENVIRON_OVERLOADED
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store.database import write_transaction
from highlighter.store.schema import documents
from highlighter.store.storage_errors import DiskFull
from tests.highlighter.monitoring.captured_log import captured_log
from tests.highlighter.monitoring.metric_samples import parse_metrics
from tests.highlighter.monitoring.otlp_receiver import receiving_traces
from tests.scripted.fake_replies import Fails, Says

ROOT = Path(__file__).resolve().parents[3]
DEPLOY = ROOT / "deploy" / "monitoring"
# Written by the job that backs up
BACKUP_COMPLETED, BACKUP_SCHEDULED = "highlighter_backup_completed_seconds", "highlighter_backup_scheduled_seconds"


def read_metrics(client) -> dict[str, dict[tuple[str, ...], float]]:
    response = client.get("/metrics")
    assert response.status_code == 200
    return parse_metrics(response.text)


def test_requests_are_counted_by_route_and_never_by_url(client, note):
    name, missing = "highlighter_requests_total", ("GET", "none", "404")
    before = read_metrics(client).get(name, {})
    for url in (f"/documents/{note.id}", "/no/such/page/1", "/no/such/page/2"):
        client.get(url)
    client.open("/no/such/page", method="INVENTED")
    after = read_metrics(client)[name]
    assert after[missing] - before.get(missing, 0) == 2
    assert any(route.startswith("/documents/<") for _, route, _ in after)
    assert not any(note.id in label or "INVENTED" in label for labels in after for label in labels)


def test_requests_shed_under_load_are_counted_by_themselves(client):
    """The alert of failing requests leaves them out."""
    before = read_metrics(client)["highlighter_requests_shed_total"][()]
    client.get("/documents", environ_overrides={ENVIRON_OVERLOADED: True})
    client.get("/no/such/page")
    assert read_metrics(client)["highlighter_requests_shed_total"] == {(): before + 1}


def test_state_of_stores_is_measured(client, services, note):
    measured = read_metrics(client)
    assert measured["highlighter_documents"] == {("ready",): 1}
    assert measured["highlighter_queue_documents"] == {(): 0}
    assert measured["highlighter_disk_free_bytes"][()] > 0


def test_evidence_that_is_found_again_counts_as_a_hit(client, services, note):
    (chunk,), name = services.catalog.chunks(note), "highlighter_evidence_cache_lookups_total"
    before = read_metrics(client).get(name, {})
    for _ in range(3):
        services.passage_highlighter.highlight_chunk("When does the ferry leave?", chunk)
    after = read_metrics(client)[name]
    assert {outcome: after[outcome] - before.get(outcome, 0) for outcome in after} == {("hit",): 2, ("miss",): 1}


def test_readiness_is_said_by_part(client, services, note, monkeypatch):
    by_part = {"Accept": "application/json"}
    services.index.sync()
    assert client.get("/readyz").text == "ready\n"
    assert {part["status"] for part in client.get("/readyz", headers=by_part).json["parts"]} == {"ok"}
    with write_transaction(services.catalog.engine) as connection:
        connection.execute(documents.update().values(state=QUEUED, added="2026-01-01T00:00:00+00:00"))
    monkeypatch.setattr(
        service_state, "find_disk_problem", lambda folder: DiskFull()
    )  # a full disk needs a file system of its own
    impaired = client.get("/readyz", headers=by_part)
    assert (impaired.status_code, impaired.json["ready"]) == (200, True)
    assert {part["name"] for part in impaired.json["parts"] if part["status"] == "impaired"} == {"disk", "queue"}
    services.mark_catalog_damaged("page 7 is torn")
    down = client.get("/readyz", headers=by_part)
    assert (down.status_code, down.json["ready"]) == (503, False)
    assert "restore a backup" in down.json["parts"][0]["detail"]
    assert client.get("/metrics").status_code == 503  # no key can be checked


def test_metrics_need_admin_of_all_collections(app, services, client):
    keys = {
        "reader": services.api_keys.create_key("reader", ("read",))[1],
        "tenant": services.api_keys.create_key("tenant", (ADMIN,), ("default",))[1],
        "operator": services.api_keys.create_key("operator", (ADMIN,))[1],
    }
    statuses = {
        name: client.get("/metrics", headers={"Authorization": f"Bearer {key}"}).status_code
        for name, key in keys.items()
    }
    assert statuses == {"reader": 403, "tenant": 403, "operator": 200}
    assert (client.get("/metrics").status_code, client.get("/readyz").status_code) == (401, 200)


def test_dashboard_and_alerts_use_metrics_that_exist(client, note, scripted):
    names = set(read_metrics(client)) | {"up", BACKUP_COMPLETED, BACKUP_SCHEDULED}
    for path in (DEPLOY / "grafana-dashboard.json", DEPLOY / "alerts.yaml"):
        text = path.read_text(encoding="utf-8")
        used = set(re.findall(r"\b((?:highlighter|process)_\w+)", text))
        assert used, path
        # Labelled metrics that nothing has counted yet are declared without a sample.
        declared = names | set(re.findall(r"# TYPE (\w+)", client.get("/metrics").text))
        assert {
            name for name in used if name not in declared and re.sub("_(bucket|sum|count)$", "", name) not in declared
        } == set()
    json.loads((DEPLOY / "grafana-dashboard.json").read_text(encoding="utf-8"))


ALERTS = [
    rule
    for group in yaml.safe_load((DEPLOY / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
    for rule in group["rules"]
]


@pytest.mark.parametrize("rule", ALERTS, ids=lambda rule: rule["alert"])
def test_alert_is_complete(rule):
    assert rule.keys() == {"alert", "expr", "for", "labels", "annotations"}
    assert rule["labels"]["severity"] in ("critical", "warning")
    assert rule["annotations"].keys() == {"summary", "runbook"}
    assert re.fullmatch(r"\d+[mh]", rule["for"])
    for opening, closing in ("()", "[]", "{}"):
        assert rule["expr"].count(opening) == rule["expr"].count(closing)
    labels = set(re.findall(r"\$labels\.(\w+)", " ".join(rule["annotations"].values())))
    if " by " in rule["expr"]:  # or the summary would name nothing
        assert labels <= set(re.search(r" by \(([^)]*)\)", rule["expr"])[1].split(", "))


@pytest.mark.parametrize("state", [FAILED, QUARANTINED])
def test_alerts_know_the_states_of_documents_that_need_somebody(state):
    (rule,) = (rule for rule in ALERTS if rule["alert"] == "HighlighterDocumentsFailed")
    assert state in re.search(r'state=~"([^"]*)"', rule["expr"])[1].split("|")


HOURS = 3_600
BACKUP_SERIES = {
    "no backup is scheduled": ({}, None),
    "none was ever complete": ({BACKUP_SCHEDULED: "0x300"}, 27),
    "the second is late": ({BACKUP_SCHEDULED: "0x300", BACKUP_COMPLETED: f"_x12 {2 * HOURS}x280"}, 29),
    "each is complete": ({BACKUP_SCHEDULED: "0x300", BACKUP_COMPLETED: f"0x144 {24 * HOURS}x144"}, None),
    "a CronJob never succeeds": ({'kube_cronjob_created{cronjob="highlighter-backup"}': "0x300"}, 27),
    "another CronJob never succeeds": ({'kube_cronjob_created{cronjob="other"}': "0x300"}, None),
    "a CronJob succeeds": (
        {
            'kube_cronjob_created{cronjob="highlighter-backup"}': "0x300",
            'kube_cronjob_status_last_successful_time{cronjob="highlighter-backup"}': f"_x12 {20 * HOURS}x280",
        },
        None,
    ),
}


@pytest.mark.integrations
@pytest.mark.parametrize("case", BACKUP_SERIES)
def test_alert_of_backups_fires_only_where_one_is_due(case, tmp_path):
    """Prometheus's own program evaluates the rule, every ten minutes for 45 hours."""
    series, first_hour = BACKUP_SERIES[case]
    (rule,) = (rule for rule in ALERTS if rule["alert"] == "HighlighterBackupOld")
    hours = (1, 26, first_hour or 45, 45)
    expected = {hour: bool(first_hour and hour > first_hour) for hour in hours}
    if first_hour:
        expected |= {first_hour - 0.5: False, first_hour + 0.5: True}
    annotations = rule["annotations"]
    test = {
        "interval": "10m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "alert_rule_test": [
            {
                "eval_time": f"{round(hour * 60)}m",
                "alertname": rule["alert"],
                "exp_alerts": [{"exp_labels": read_labels(series), "exp_annotations": annotations}] if fires else [],
            }
            for hour, fires in sorted(expected.items())
        ],
    }
    path = tmp_path / "test.yaml"
    path.write_text(
        yaml.safe_dump({"rule_files": [str(DEPLOY / "alerts.yaml")], "evaluation_interval": "10m", "tests": [test]})
    )
    promtool = shutil.which("promtool") or ROOT / ".venv" / "tools" / "bin" / "promtool"  # make promtool
    ended = subprocess.run([promtool, "test", "rules", path], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def read_labels(series: dict[str, str]) -> dict[str, str]:
    """Return the labels of an alert about the first of some series."""
    return {"severity": "warning"} | dict(re.findall(r'(\w+)="([^"]*)"', next(iter(series), "")))


def test_job_of_the_documentation_writes_the_time_of_a_backup(tmp_path):
    page = (ROOT / "docs" / "how-to" / "monitor.md").read_text(encoding="utf-8")
    command = re.search(r"^highlighter backup .*$", page, re.MULTILINE)[0]
    programs = tmp_path / "programs"
    programs.mkdir()
    command = command.replace("/var/lib/node_exporter/", f"{tmp_path}/")
    for exit_code, is_written in ((1, False), (0, True)):
        (programs / "highlighter").write_text(f"#!/bin/sh\nexit {exit_code}\n")
        (programs / "highlighter").chmod(0o755)
        subprocess.run(["bash", "-c", command], env={"PATH": f"{programs}:{os.environ['PATH']}"}, check=False)
        written = list(tmp_path.glob("*.prom"))
        assert bool(written) == is_written
    (family,) = text_string_to_metric_families(written[0].read_text())
    assert family.name == BACKUP_COMPLETED
    assert abs(family.samples[0].value - time.time()) < 3600


@pytest.fixture
def json_log():
    """The log of a service as JSON, at the level that writes most."""
    with captured_log(JSON, "debug") as stream:
        yield stream


WORD = "Quillfeather"
CANARIES = (WORD, "Zanzibarite", "Osmiridium", "Perchlorate", "Nightingale")


def test_no_word_and_no_key_leaves_by_log_metrics_or_traces(json_log, tmp_path, embedder, scripted, request):
    """Unique words go through everything that takes words; one model fails with a message that repeats the question."""
    text, question, claim, note, quote = (
        f"The {word} of the harbour opens at nine in the morning." for word in CANARIES
    )
    settings = scripted.settings("openai/first", "openai/second")
    scripted.play("first", Fails(500, question))
    scripted.play("second", Says(claim))
    with receiving_traces() as received:
        services = Services(Settings(data_dir=tmp_path / "data", ocr=False, **settings), embedder)
        tracer.start(received.url)
        client = create_app(services).test_client()
        key = services.api_keys.create_key("operator", (ADMIN,))[1]
        headers = {"Authorization": f"Bearer {key}"}
        upload = {"file": (io.BytesIO(text.encode()), "a.txt")}
        client.post("/api/v1/documents", data=upload, headers=headers)
        broken = {"file": (io.BytesIO(b"%PDF-1.7 " + text.encode()), "b.pdf")}
        client.post("/api/v1/documents", data=broken, headers=headers)
        services.ingest_queue.finish_unfinished()
        (document,) = (one for one in services.catalog.documents() if one.state == "ready")
        for url, body in (
            ("answers", {"question": question}),
            ("answers", {"question": question, "stream": True}),
            ("search", {"question": question}),
            ("check", {"answer": claim, "sources": [{"text": text}]}),
            ("locate", {"quote": quote}),
            (
                f"documents/{document.id}/notes",
                {"target": {"selector": {"type": "TextQuoteSelector", "exact": WORD}}, "body": note},
            ),
        ):
            response = client.post(f"/api/v1/{url}", json=body, headers=headers)
            assert (response.status_code < 300, bool(response.get_data())) == (True, True), url
        client.get(f"/documents/{document.id}?q={question}", headers={"Authorization": "Bearer hk_Nightingale"})
        logging.getLogger("highlighter").error("lost", exc_info=ValueError(text))
        measured = client.get("/metrics", headers=headers).text
        tracer.stop()
        services.close()
    lines = [json.loads(line) for line in json_log.getvalue().splitlines()]
    written = json_log.getvalue() + measured + "".join(map(str, received.spans))
    assert [word for word in (*CANARIES, key) if word in written] == []
    # And all of it says something.
    assert {"error": "ValueError", "message": "lost"}.items() <= lines[-2].items()
    assert {(line["route"], line["status"]) for line in lines if "route" in line} >= {("/api/v1/answers", 200)}
    assert 'highlighter_model_calls_total{model="openai/first",outcome="failed"}' in measured
    assert 'highlighter_documents_processed_total{state="damaged"}' in measured
    for step in ("search", "model", "check"):
        assert received.find_parent(received.find(step)).name == "question", step
    assert received.find_parent(received.find("question")).name == "request"
