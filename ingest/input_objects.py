"""Input files that lie in an S3-compatible storage, each copied here while it is ingested."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import DOCUMENT_SUFFIXES, FAILED
from highlighter.settings import Settings
from highlighter.store.object_storage import ObjectStorage, StorageAccess
from ingest.input_files import InputFiles, find_input_files, make_unsupported_error

SCHEME = "s3://"


@dataclass(frozen=True, slots=True)
class InputObject:
    """An object that is ingested as a file; its address is the path under which the document is known."""

    address: str
    key: str
    storage: ObjectStorage = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        return PurePosixPath(self.key).name

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.key).suffix

    def __str__(self) -> str:
        return self.address

    @contextmanager
    def download(self) -> Iterator[Path]:
        """Yield the path of a copy, which is removed at the end."""
        with tempfile.TemporaryDirectory(prefix="highlighter-") as folder:
            path = Path(folder, self.name)
            blocks = self.storage.stream(self.key)
            if blocks is None:
                raise UnreadableFile(FAILED, N_("The file is no longer in the storage."))
            with path.open("wb") as file:
                for block in blocks:
                    file.write(block)
            yield path


InputFile = Path | InputObject


def find_inputs(names: Sequence[str], recursive: bool, settings: Settings) -> InputFiles[InputFile]:
    """Return the named files, folders and s3:// addresses; a file named directly is read whatever its suffix."""
    files = find_input_files([name for name in names if not name.startswith(SCHEME)], recursive)
    paths: list[InputFile] = [*files.paths]
    unsupported: dict[InputFile, UnreadableFile] = dict(files.unsupported.items())
    missing = [*files.missing]
    for name in (name for name in names if name.startswith(SCHEME)):
        objects = list_input_objects(name, recursive, settings)
        paths += objects
        missing += [] if objects else [name]
        for one in objects:
            if one.address != name and one.suffix.lower() not in DOCUMENT_SUFFIXES:
                unsupported[one] = make_unsupported_error(one.suffix)
    return InputFiles(paths, unsupported, missing)


def list_input_objects(address: str, recursive: bool, settings: Settings) -> list[InputObject]:
    """Return the objects of a folder (s3://BUCKET/FOLDER/), or the one with this address; none if there is none."""
    folder, _, name = address.rpartition("/")
    if name and folder != SCHEME.rstrip("/"):
        storage = open_storage(folder, settings)
        if storage.exists(name):
            return [InputObject(address, name, storage)]
    storage = open_storage(address.rstrip("/"), settings)
    keys = sorted(key for key in storage.list_keys("") if _is_input(key, recursive))
    return [InputObject(f"{storage.access.url}/{key}", key, storage) for key in keys]


def _is_input(key: str, recursive: bool) -> bool:
    parts = PurePosixPath(key).parts
    return (recursive or len(parts) == 1) and not any(part.startswith(".") for part in parts)


def open_storage(url: str, settings: Settings) -> ObjectStorage:
    """Return the storage at an s3:// address, with the access that the AWS_ settings give."""
    return ObjectStorage(
        StorageAccess(
            url,
            settings.aws_endpoint_url,
            settings.aws_region or settings.aws_default_region,
            settings.aws_access_key_id,
            settings.aws_secret_access_key,
            settings.aws_session_token,
        )
    )
