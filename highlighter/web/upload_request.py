"""A request whose upload leaves no open file behind."""

from __future__ import annotations

from typing import IO, Any

from flask import Request


class UploadRequest(Request):
    """A request that closes the temporary files of its upload, also when the form was refused or broke off.

    Flask's class closes those of complete forms alone: others would take space on the disk until they are collected.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._received_files: list[IO[bytes]] = []

    def _get_file_stream(self, *arguments: Any, **options: Any) -> IO[bytes]:
        stream = super()._get_file_stream(*arguments, **options)
        self._received_files.append(stream)
        return stream

    def close(self) -> None:
        super().close()
        for stream in self._received_files:
            stream.close()
