"""A start-up module of Python: in every Dask worker with this folder on its path, reading certain words kills or stops it."""

from __future__ import annotations

import os
import signal
import sys
import time
from importlib.abc import MetaPathFinder
from importlib.util import find_spec

WORD = b"poisonous"
LINGERING = b"lingering "  # followed by the path of a file, which the first worker that reads it writes its id to


class Poison(MetaPathFinder):
    """An import hook that changes `ingest.cluster_tasks`."""

    def find_spec(self, name, path, target=None):
        if name != "ingest.cluster_tasks":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            module.prepare_on_worker = _make_deadly(module.prepare_on_worker)

        spec.loader.exec_module = exec_module
        return spec


def _make_deadly(prepare):
    def deadly(release, data, *others):
        if WORD in data:
            os.kill(os.getpid(), signal.SIGKILL)
        if data.startswith(LINGERING) and not os.path.exists(path := data.split()[1].decode()):
            with open(f"{path}.part", "w") as file:
                file.write(str(os.getpid()))
            os.rename(f"{path}.part", path)
            time.sleep(3600)
        return prepare(release, data, *others)

    return deadly


sys.meta_path.insert(0, Poison())
