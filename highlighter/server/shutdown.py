"""The stop of background work at SIGTERM, while the server still answers its requests."""

from __future__ import annotations

import signal
import threading
from types import FrameType

from highlighter.services import Services


def hand_over_on_sigterm(services: Services) -> None:
    """Stop background work at SIGTERM, in addition to what the server does then.

    A server that replaces this one can begin its own background work at once, however long this one's answers take.
    """
    if threading.current_thread() is not threading.main_thread():
        return  # Python lets only the main thread set signal handlers
    previous_handler = signal.getsignal(signal.SIGTERM)
    if not callable(previous_handler):
        return  # nothing stops gracefully here: SIGTERM ends the process at once

    def stop(number: int, frame: FrameType | None) -> None:
        threading.Thread(target=services.stop_background_work, name="hand-over", daemon=True).start()
        previous_handler(number, frame)

    signal.signal(signal.SIGTERM, stop)
    signal.siginterrupt(signal.SIGTERM, False)  # interrupted system calls of requests are resumed
