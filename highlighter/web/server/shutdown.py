"""What a server does as soon as it is told to stop, while it still answers the requests that it has."""

from __future__ import annotations

import signal
import threading

from highlighter.services import Services


def hand_over_on_sigterm(services: Services) -> None:
    """Stop background work at SIGTERM, besides what the server does then by itself.

    So a server that is started in this one's place goes to work at once, however long answers take to finish here.
    """
    if threading.current_thread() is not threading.main_thread():
        return  # Python lets only this one set signal handlers
    before = signal.getsignal(signal.SIGTERM)
    if not callable(before):
        return  # no server here ends gracefully, so the process is about to be gone

    def stop(number, frame) -> None:
        threading.Thread(target=services.stop_background_work, name="hand-over", daemon=True).start()
        before(number, frame)

    signal.signal(signal.SIGTERM, stop)
    signal.siginterrupt(signal.SIGTERM, False)  # requests go on undisturbed
