from __future__ import annotations

import threading

from highlighter.lazy_property import lazy_property


class Household:
    def __init__(self):
        self.lazy_property_lock = threading.RLock()
        self.lit = 0
        self.everybody = threading.Barrier(8)

    @lazy_property
    def wood(self) -> str:
        return "wood"

    @lazy_property
    def fire(self) -> object:
        self.lit += 1
        assert self.wood == "wood"  # what needs another thing makes that, too
        return object()


def test_however_many_ask_at_once_it_is_made_once():
    household, seen = Household(), []

    def ask():
        household.everybody.wait(10)
        seen.append(household.fire)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert household.lit == 1
    assert len(seen) == 8
    assert len(set(map(id, seen))) == 1
