"""The main program of a child process: runs each task that the parent sends, and sends back its result or its error.

The program is started by its path and knows nothing of the parent's `__main__`. `multiprocessing` would import that
again, which runs a script without a guard once more in each child and fails where the parent's program is standard
input.
"""

from __future__ import annotations

import pickle
import signal
import sys
from multiprocessing.connection import Connection


def main(handle: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then stops its children
    with Connection(handle) as connection:
        # The parent's import paths; only now can this project's modules be imported.
        parent_id, sys.path[:] = connection.recv()
        from highlighter.workers.process_control import die_with_parent

        die_with_parent(parent_id)
        while True:
            try:
                task = connection.recv_bytes()
            except EOFError:
                return
            connection.send_bytes(_run(task))


def _run(task: bytes) -> bytes:
    try:
        function, arguments = pickle.loads(task)
        return pickle.dumps((True, function(*arguments)))
    except BaseException as err:
        from highlighter.workers.replies import dump_error

        return dump_error(err)


if __name__ == "__main__":
    main(int(sys.argv[1]))
