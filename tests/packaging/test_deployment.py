"""The files that start the service elsewhere agree with the service: settings, paths, extras and files that they name."""

from __future__ import annotations

import re
from configparser import ConfigParser

import pytest
import yaml

from highlighter.settings import Settings
from tests.browser.serving import ROOT

DEPLOY = ROOT / "deploy"
VARIABLES = {setting.metadata["variable"] for setting in Settings.__dataclass_fields__.values()}
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
OBJECTS = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "highlighter.yaml").read_text(encoding="utf-8")))
(DEPLOYMENT,) = (one for one in OBJECTS if one["kind"] == "Deployment")
(CONTAINER,) = DEPLOYMENT["spec"]["template"]["spec"]["containers"]
BACKUP_OBJECTS = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "backup.yaml").read_text(encoding="utf-8")))
(CRON_JOB,) = (one for one in BACKUP_OBJECTS if one["kind"] == "CronJob")
BACKUP_POD = CRON_JOB["spec"]["jobTemplate"]["spec"]["template"]
BACKUP_SCRIPT = (DEPLOY / "backup.sh").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def read_environment_of_unit() -> set[str]:
    unit = ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str
    unit.read(DEPLOY / "highlighter.service")
    return set(re.findall(r"(\w+)=", unit["Service"]["Environment"]))


@pytest.mark.parametrize(
    "names",
    [
        set(COMPOSE["services"]["web"]["environment"]),
        {item["name"] for item in CONTAINER["env"]}
        | set(next(one for one in OBJECTS if one["kind"] == "Secret")["stringData"]),
        set(re.findall(r"\b([A-Z_]+)=", DOCKERFILE.partition("\nENV PATH=")[2].partition("\n")[0])),
        read_environment_of_unit(),
    ],
    ids=["compose", "kubernetes", "image", "systemd"],
)
def test_variables_are_settings(names):
    assert names
    assert names <= VARIABLES


def test_settings_of_each_deployment_are_accepted():
    (secret,) = (one["stringData"] for one in OBJECTS if one["kind"] == "Secret")
    for given in (secret, COMPOSE["services"]["web"]["environment"]):
        filled = {name: re.sub(r"\$\{(\w+)(:-\w+)?\}", "a" * 40, value) for name, value in given.items()}
        assert Settings.from_environment(filled).can_share_data


def test_probes_ask_for_paths_that_exist(app):
    paths = {CONTAINER[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "liveness", "readiness")}
    assert paths == {"/healthz", "/readyz"}
    assert paths <= {rule.rule for rule in app.url_map.iter_rules()}
    (port,) = CONTAINER["ports"]
    assert f"PORT={port['containerPort']}" in DOCKERFILE
    assert f"web:{port['containerPort']}" in (DEPLOY / "nginx.conf").read_text(encoding="utf-8")


def test_every_password_is_asked_for_and_every_file_is_there():
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    example = (DEPLOY / "example.env").read_text(encoding="utf-8")
    assert set(re.findall(r"\$\{(\w+)", text)) == set(re.findall(r"^(\w+)=", example, re.M))
    mounted = [one.partition(":")[0] for one in COMPOSE["services"]["proxy"]["volumes"]]
    assert all((DEPLOY / path).is_file() for path in mounted)
    assert {service for one in COMPOSE["services"].values() for service in one.get("depends_on", {})} <= set(
        COMPOSE["services"]
    )


def read_dask_commands():
    """Return the commands of the scheduler and the worker, by the file that starts them."""
    objects = yaml.safe_load_all((DEPLOY / "kubernetes" / "dask.yaml").read_text(encoding="utf-8"))
    pods = [one["spec"]["template"]["spec"] for one in objects if one["kind"] == "Deployment"]
    return {
        "compose": [COMPOSE["services"][name]["command"] for name in ("scheduler", "worker")],
        "kubernetes": [pod["containers"][0]["command"] for pod in pods],
    }


@pytest.mark.parametrize("file", ["compose", "kubernetes"])
def test_servers_and_workers_find_the_scheduler(file):
    (secret,) = (one["stringData"] for one in OBJECTS if one["kind"] == "Secret")
    address = {"compose": COMPOSE["services"]["web"]["environment"], "kubernetes": secret}[file]["DASK_SCHEDULER"]
    scheduler, worker = read_dask_commands()[file]
    assert scheduler[:4] == ["dask", "scheduler", "--port", address.rpartition(":")[2]]
    assert worker[:3] == ["dask", "worker", address]


@pytest.mark.parametrize("part", ["scheduler", "worker"])
def test_options_of_dask_exist(part):
    """An unknown option ends the program at once, and the container again and again."""
    from importlib import import_module

    known = {
        name
        for one in import_module(f"distributed.cli.dask_{part}").main.params
        for name in (*one.opts, *one.secondary_opts)
    }
    position = ["scheduler", "worker"].index(part)
    given = {word for commands in read_dask_commands().values() for word in commands[position] if word.startswith("--")}
    assert given <= known


def test_image_has_the_extras_of_its_deployments():
    (extras,) = re.findall(r"^IMAGE_EXTRAS := (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert {"postgresql", "s3", "redis", "dask"} <= set(extras.split())
    assert "--require-hashes -r deploy/image.lock" in DOCKERFILE


def test_nightly_backup_runs_the_script_of_the_image_with_the_settings_of_the_servers():
    (container,) = BACKUP_POD["spec"]["containers"]
    (copied,) = re.findall(r"^COPY --chmod=755 deploy/(\S+) /opt/highlighter/bin/$", DOCKERFILE, re.M)
    assert container["command"] == [copied]
    assert (container["image"], container["envFrom"]) == (CONTAINER["image"], CONTAINER["envFrom"])
    of_script = {item["name"] for item in container["env"]} - VARIABLES
    assert of_script == {"BACKUPS", "KEEP"}
    assert all(f"${{{name}:" in BACKUP_SCRIPT for name in of_script)
    (backups,) = (item["value"] for item in container["env"] if item["name"] == "BACKUPS")
    mounted = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
    claims = {
        volume["name"]: volume["persistentVolumeClaim"]["claimName"]
        for volume in BACKUP_POD["spec"]["volumes"]
        if "persistentVolumeClaim" in volume
    }
    assert claims[mounted[backups]] in {
        one["metadata"]["name"] for one in BACKUP_OBJECTS if one["kind"] == "PersistentVolumeClaim"
    }


def test_no_service_sends_readers_to_the_backup():
    selectors = [one["spec"]["selector"] for one in OBJECTS if one["kind"] == "Service"]
    labels = BACKUP_POD["metadata"]["labels"]
    assert selectors
    assert not any(selector.items() <= labels.items() for selector in selectors)


def test_alert_knows_the_nightly_backup():
    alerts = (DEPLOY / "monitoring" / "alerts.yaml").read_text(encoding="utf-8")
    assert set(re.findall(r'cronjob="([^"]+)"', alerts)) == {CRON_JOB["metadata"]["name"]}


def test_image_can_dump_the_database_of_its_deployment():
    """pg_dump refuses a server that is newer than itself."""
    (server,) = re.findall(r"^postgres:(\d+)", COMPOSE["services"]["postgres"]["image"])
    (client,) = re.findall(r"\bpostgresql-client-(\d+)\b", DOCKERFILE)
    assert int(client) >= int(server)
    assert (
        re.findall(r"^FROM (\S+)", DOCKERFILE, re.M) == ["python:3.11-slim-trixie"] * 2
    )  # the release of Debian that has it
