"""What an object makes when it is first asked for, and then keeps: by one thread, however many ask at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy_property(Generic[T]):
    """Like functools.cached_property, which from Python 3.12 on may make a thing twice; `lazy_property_lock` is its owner's lock.

    Once made it stands in the instance itself, where Python finds it without coming here.
    """

    def __init__(self, make: Callable[[Any], T]):
        self.make, self.name, self.__doc__ = make, make.__name__, make.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> lazy_property[T]: ...
    @overload
    def __get__(self, owner: object, kind: type) -> T: ...
    def __get__(self, owner: Any, kind: type) -> Any:
        if owner is None:
            return self
        with owner.lazy_property_lock:
            if self.name not in owner.__dict__:
                owner.__dict__[self.name] = self.make(owner)
        return owner.__dict__[self.name]
