"""An S3-compatible server on this machine, with requests over HTTP, that can be stopped and started again."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import Request, urlopen
from uuid import uuid4

from highlighter.secret import Secret

BUCKET = "files"
SECRET_KEY = "a-secret-that-no-log-may-hold"


class S3Server:
    """A server whose objects outlive its restart."""

    def __init__(self):
        with warnings.catch_warnings():  # of the packages that it imports
            warnings.simplefilter("ignore")
            from moto.server import ThreadedMotoServer
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._create_server = ThreadedMotoServer
        self._port = 0
        self.start()
        with urlopen(Request(f"{self.address}/{BUCKET}", method="PUT")) as response:
            assert response.status == 200

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        self._server = self._create_server(ip_address="127.0.0.1", port=self._port, verbose=False)
        self._server.start()
        self._port = self._server.get_host_and_port()[1]

    def stop(self) -> None:
        self._server.stop()

    @contextmanager
    def checked_keys(self) -> Iterator[None]:
        """Refuse requests meanwhile: the server checks keys, and knows none."""
        self._check_keys_after(b"0")
        try:
            yield
        finally:
            self._check_keys_after(b"inf")

    def _check_keys_after(self, requests: bytes) -> None:
        address = f"{self.address}/moto-api/reset-auth"
        with urlopen(Request(address, requests, {"Content-Type": "text/plain"})):
            pass

    def settings(self) -> dict[str, object]:
        """Return the settings of a store of its own on this server."""
        return {
            "files_url": f"s3://{BUCKET}/{uuid4().hex}/prefix",
            "aws_endpoint_url": self.address,
            "aws_region": "us-east-1",
            "aws_access_key_id": "test",
            "aws_secret_access_key": Secret(SECRET_KEY),
        }
