"""A library with the note, for all tests of this folder."""

from __future__ import annotations

import shutil

import pytest


@pytest.fixture(scope="package")
def note_services(tmp_path_factory, note_folder, embedder):
    from highlighter.services import Services
    from highlighter.settings import Settings

    folder = tmp_path_factory.mktemp("native") / "data"
    shutil.copytree(note_folder, folder)
    services = Services(Settings(data_dir=folder, ocr=False), embedder)
    yield services
    services.close()
