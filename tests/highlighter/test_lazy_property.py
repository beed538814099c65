from __future__ import annotations

import threading

from highlighter.lazy_property import lazy_property


class Owner:
    def __init__(self):
        self.lazy_property_lock = threading.RLock()
        self.creations = 0
        self.barrier = threading.Barrier(8)

    @lazy_property
    def name(self) -> str:
        return "name"

    @lazy_property
    def value(self) -> object:
        self.creations += 1
        assert self.name == "name"  # creating a value may create another
        return object()


def test_value_is_created_once_by_concurrent_threads():
    owner, values = Owner(), []

    def read_value():
        owner.barrier.wait(10)
        values.append(owner.value)

    threads = [threading.Thread(target=read_value) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert owner.creations == 1
    assert len(values) == 8
    assert len(set(map(id, values))) == 1
