"""A lease in the database: one process of any machine has it, renews it, and loses it when it dies."""

from __future__ import annotations

import logging
import os
import threading
import time
from uuid import uuid4

from sqlalchemy import Connection, Engine, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from highlighter.store.database import write_transaction
from highlighter.store.dialects import get_dialect
from highlighter.store.schema import leases

log = logging.getLogger(__name__)

LEASE_SECONDS = 24.0  # until another process may take over from one that died
RENEWALS_PER_LEASE = 3


class Lease:
    """A named lease. A thread renews it as long as this process has it."""

    def __init__(self, engine: Engine, name: str, seconds: float = LEASE_SECONDS):
        self.name = name
        self.holder = uuid4().hex
        self._engine, self._seconds = engine, seconds
        self._held_until = 0.0  # by this process's monotonic clock
        self._renewal_stop: threading.Event | None = None
        self._lock = threading.Lock()

    @property
    def is_held(self) -> bool:
        """Return whether this process has the lease for sure: not when it could not renew it in time."""
        return time.monotonic() < self._held_until

    def acquire(self) -> bool:
        """Take the lease if nobody has it, and return whether this process has it now."""
        with self._lock:
            if self.is_held:
                return True
            self._stop_renewal()
            if not self._take():
                return False
            self._renewal_stop = threading.Event()
            threading.Thread(target=self._renew_until, args=(self._renewal_stop,), name="lease", daemon=True).start()
            return True

    def release(self) -> None:
        """Give the lease back, so that another process can take it at once."""
        with self._lock:
            self._stop_renewal()
            if self._held_until:
                self._held_until = 0.0
                try:
                    with write_transaction(self._engine) as connection:
                        own = (leases.c.name == self.name, leases.c.holder == self.holder)
                        connection.execute(delete(leases).where(*own))
                except Exception as err:  # a database that is gone; the lease ends by itself
                    log.warning("The lease of the %s could not be given back (%s)", self.name, type(err).__name__)

    def find_process(self) -> int:
        """Return the id of the process that has the lease, perhaps on another machine; 0 when none has it."""
        with self._engine.connect() as connection:
            row = connection.execute(select(leases).where(leases.c.name == self.name)).first()
            return int(row.process) if row and self._is_valid(row.expires, self._read_clock(connection)) else 0

    def _read_clock(self, connection: Connection) -> float:
        return get_dialect(self._engine).read_clock(connection)

    def _is_valid(self, expires: float, now: float) -> bool:
        """Return whether a lease holds: not one from before the clock was set back, which would hold for as long.

        Of a lease that holds, the end may seem further away than its length where the clock was corrected a little.
        """
        return now < expires < now + 2 * self._seconds

    def _take(self) -> bool:
        started = time.monotonic()
        with self._engine.connect() as connection:  # reading first: most attempts find a lease of another process
            row = connection.execute(select(leases).where(leases.c.name == self.name)).first()
            now = self._read_clock(connection)
        if row and row.holder != self.holder and self._is_valid(row.expires, now):
            return False
        values = {"holder": self.holder, "process": os.getpid(), "expires": now + self._seconds}
        try:
            with write_transaction(self._engine) as connection:
                if row is None:
                    connection.execute(insert(leases).values(name=self.name, **values))
                else:
                    same = (leases.c.name == self.name, leases.c.holder == row.holder, leases.c.expires == row.expires)
                    if connection.execute(update(leases).where(*same).values(values)).rowcount != 1:
                        return False
        except IntegrityError:  # another process was faster
            return False
        self._held_until = started + self._seconds
        return True

    def _renew_until(self, stop: threading.Event) -> None:
        while not stop.wait(self._seconds / RENEWALS_PER_LEASE):
            try:
                if not self._renew(stop):
                    log.warning("Another process has taken over the %s", self.name)
                    return
            except Exception as err:  # the next attempt may succeed before the lease ends
                log.warning("The lease of the %s could not be renewed (%s)", self.name, type(err).__name__)

    def _renew(self, stop: threading.Event) -> bool:
        started = time.monotonic()
        own = (leases.c.name == self.name, leases.c.holder == self.holder)
        with write_transaction(self._engine) as connection:
            expires = self._read_clock(connection) + self._seconds
            is_renewed = connection.execute(update(leases).where(*own).values(expires=expires)).rowcount == 1
        with self._lock:
            if not stop.is_set():  # given back meanwhile: then this process has it no more
                self._held_until = started + self._seconds if is_renewed else 0.0
        return is_renewed

    def _stop_renewal(self) -> None:
        if self._renewal_stop:
            self._renewal_stop.set()
            self._renewal_stop = None
