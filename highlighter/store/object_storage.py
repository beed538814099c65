"""Objects in an S3-compatible storage, by key: read, written, listed and deleted; errors become FilesUnavailable."""

from __future__ import annotations

import hashlib
import logging
import re
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from highlighter.errors import HighlighterError
from highlighter.locale import N_
from highlighter.secret import Secret
from highlighter.store.storage_errors import FilesUnavailable

log = logging.getLogger(__name__)

PART_BYTES = 8 << 20  # of a large object, which is sent in parts and appears whole
CONCURRENT_REQUESTS = 8
# While the storage is out of reach, requests fail at once instead of each waiting for a timeout.
PAUSE_SECONDS = 2.0
CLIENT_OPTIONS = {"connect_timeout": "3s", "read_timeout": "20s", "timeout": "1h"}
RETRY_OPTIONS = {
    "max_retries": 2,
    "retry_timeout": timedelta(seconds=10),
    "backoff": {"init_backoff": timedelta(seconds=0.1), "max_backoff": timedelta(seconds=1), "base": 2},
}
ACCESS_REFUSED = N_("The file storage refuses access. Administrator: check FILES_URL and the AWS_ settings.")


@dataclass(frozen=True, slots=True)
class StorageAccess:
    """Where a storage is, and with what it is asked. Empty values are found as AWS's own tools find them."""

    url: str  # s3://BUCKET/PREFIX
    endpoint: str = ""
    region: str = ""
    access_key_id: str = ""
    secret_access_key: Secret = Secret()
    session_token: Secret = Secret()
    public_endpoint: str = ""  # where browsers reach the storage; empty: nowhere

    @property
    def bucket(self) -> str:
        return self.url.removeprefix("s3://").partition("/")[0]

    @property
    def prefix(self) -> str:
        return self.url.removeprefix("s3://").partition("/")[2].strip("/")


class ObjectStorage:
    """The objects below a prefix of a bucket. Any number of threads may use it."""

    def __init__(self, access: StorageAccess):
        self.access = access
        self._store = _open_store(access)
        self._lock = threading.Lock()
        self._problem: FilesUnavailable | None = None
        self._paused_until = 0.0

    @property
    def problem(self) -> str:
        """Return why the storage cannot be used, as the last request saw it; empty when it answered."""
        problem = self._problem
        return problem.detail if problem else ""

    def check(self) -> None:
        """Ask the storage for something; raise FilesUnavailable when it does not answer."""
        self.list_folders("documents/0")

    def put_file(self, key: str, path: Path) -> str:
        """Write an object, whole or not at all, and return its entity tag."""
        with self._report_errors():
            return str(self._store.put(key, path, chunk_size=PART_BYTES)["e_tag"] or "")

    def put_files(self, paths: dict[str, Path]) -> None:
        with ThreadPoolExecutor(CONCURRENT_REQUESTS) as executor:
            for _ in executor.map(self.put_file, paths.keys(), paths.values()):
                pass

    def put_bytes(self, key: str, data: bytes, only_new: bool = False) -> None:
        with self._report_errors():
            self._store.put(key, data, mode="create" if only_new else "overwrite")

    def read_bytes(self, key: str) -> bytes | None:
        """Return an object; None when there is none."""
        with self._report_errors():
            try:
                return bytes(self._store.get(key).bytes())
            except FileNotFoundError as err:
                _check_bucket(err)
                return None

    def stream(self, key: str) -> Iterator[bytes] | None:
        """Return the blocks of an object, which may fail on the way; None when there is no object."""
        with self._report_errors():
            try:
                result = self._store.get(key)
            except FileNotFoundError as err:
                _check_bucket(err)
                return None
        return self._iterate(result)

    def compute_sha256(self, key: str) -> str:
        """Return the SHA-256 of an object as it is now; empty when there is none."""
        blocks = self.stream(key)
        if blocks is None:
            return ""
        digest = hashlib.sha256()
        for block in blocks:
            digest.update(block)
        return digest.hexdigest()

    def compute_sha256s(self, keys: Sequence[str]) -> dict[str, str]:
        with ThreadPoolExecutor(CONCURRENT_REQUESTS) as executor:
            return dict(zip(keys, executor.map(self.compute_sha256, keys), strict=True))

    def read_entity_tag(self, key: str) -> str:
        """Return the entity tag of an object; empty when there is none."""
        return self.read_version(key)[0]

    def read_version(self, key: str) -> tuple[str, str]:
        """Return the entity tag of an object and, of a bucket with versions, its version; empty when there is none."""
        with self._report_errors():
            try:
                description = self._store.head(key)
            except FileNotFoundError:
                return "", ""
            return str(description["e_tag"] or ""), str(description["version"] or "")

    def exists(self, key: str) -> bool:
        with self._report_errors():
            try:
                self._store.head(key)
            except FileNotFoundError:
                return False
            return True

    def list_keys(self, folder: str, older_than_seconds: float = 0) -> Iterator[str]:
        """Yield the keys below a folder, of objects that were not written just now."""
        latest = datetime.now(UTC) - timedelta(seconds=older_than_seconds)
        with self._report_errors():
            for batch in self._store.list(folder):
                yield from (item["path"] for item in batch if not older_than_seconds or item["last_modified"] <= latest)

    def list_folders(self, folder: str) -> list[str]:
        """Return the paths of the folders in a folder."""
        with self._report_errors():
            return [str(path) for path in self._store.list_with_delimiter(folder)["common_prefixes"]]

    def delete(self, keys: Sequence[str]) -> None:
        with self._report_errors():
            if keys:
                self._store.delete(list(keys))

    def _iterate(self, result: Any) -> Iterator[bytes]:
        with self._report_errors():
            for block in result.stream(1 << 20):
                yield bytes(block)

    @contextmanager
    def _report_errors(self) -> Iterator[None]:
        from obstore.exceptions import BaseError

        if time.monotonic() < self._paused_until and self._problem:
            raise FilesUnavailable(self._problem.detail)
        try:
            yield
        except FilesUnavailable as err:
            self._remember_problem(err)
            raise
        except FileNotFoundError as err:  # of a request that writes
            _check_bucket(err)
            raise
        except BaseError as err:
            raise self._remember_problem(_convert_error(err)) from None  # the error of the library may hold too much
        self._problem = None

    def _remember_problem(self, err: FilesUnavailable) -> FilesUnavailable:
        with self._lock:
            self._problem, self._paused_until = err, time.monotonic() + PAUSE_SECONDS
        return err


def compute_entity_tag(path: Path) -> str:
    """Return the entity tag that S3 gives to a file as `put_file` sends it, if it does not encrypt by a key of its own."""
    digests = []
    with path.open("rb") as file:
        while part := file.read(PART_BYTES):
            digests.append(hashlib.md5(part, usedforsecurity=False).digest())
    if len(digests) < 2:
        return f'"{(digests or [hashlib.md5(usedforsecurity=False).digest()])[0].hex()}"'
    return f'"{hashlib.md5(b"".join(digests), usedforsecurity=False).hexdigest()}-{len(digests)}"'


def _open_store(access: StorageAccess) -> Any:
    try:
        from obstore.store import S3Store
    except ModuleNotFoundError:
        raise HighlighterError("FILES_URL needs the package obstore: pip install 'highlighter[s3]'.") from None
    values = {
        "endpoint": access.endpoint,
        "region": access.region,
        "access_key_id": access.access_key_id,
        "secret_access_key": access.secret_access_key.reveal(),
        "session_token": access.session_token.reveal(),
    }
    open_store: Any = S3Store  # typed by the names of options, not by their values
    return open_store(
        access.bucket,
        prefix=access.prefix or None,
        config={"checksum_algorithm": "SHA256", **{name: value for name, value in values.items() if value}},
        client_options={**CLIENT_OPTIONS, "allow_http": access.endpoint.startswith("http://")},
        retry_config=RETRY_OPTIONS,
    )


def _check_bucket(err: FileNotFoundError) -> None:
    """Raise FilesUnavailable when there is no bucket, rather than no such object in it."""
    if "NoSuchBucket" in str(err):
        log.error("The bucket of FILES_URL does not exist")
        raise FilesUnavailable(ACCESS_REFUSED) from None


def _convert_error(err: Exception) -> FilesUnavailable:
    """Return an error of the library as one of ours, and log no more of it than its kind: it may quote credentials."""
    from obstore.exceptions import PermissionDeniedError, UnauthenticatedError

    text = str(err)
    status = re.search(r"status code: (\d{3})", text)
    kind = re.search(r"kind: (\w+)", text)
    reason = f"HTTP status {status[1]}" if status else kind[1].lower() if kind else type(err).__name__
    log.error("The file storage does not do what it was asked: %s", reason)
    is_refused = isinstance(err, PermissionDeniedError | UnauthenticatedError) or "NoSuchBucket" in text
    return FilesUnavailable(ACCESS_REFUSED) if is_refused else FilesUnavailable()
