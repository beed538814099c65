"""A property whose value is created on first use, by one thread only, and then kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy_property(Generic[T]):
    """A property like functools.cached_property, which since Python 3.12 may create a value twice.

    The owner provides the lock as `lazy_property_lock`. The value is stored in the instance's `__dict__`, where Python
    finds it from then on without calling this descriptor.
    """

    def __init__(self, create: Callable[[Any], T]):
        self.create, self.name, self.__doc__ = create, create.__name__, create.__doc__

    @overload
    def __get__(self, owner: None, owner_type: type) -> lazy_property[T]: ...
    @overload
    def __get__(self, owner: object, owner_type: type) -> T: ...
    def __get__(self, owner: Any, owner_type: type) -> Any:
        if owner is None:
            return self
        with owner.lazy_property_lock:
            if self.name not in owner.__dict__:
                owner.__dict__[self.name] = self.create(owner)
        return owner.__dict__[self.name]
