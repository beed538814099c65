"""The request and response models of webhooks and their deliveries."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from highlighter.access import COLLECTION_NAME_PATTERN, MAX_COLLECTION_CHARACTERS
from highlighter.outgoing_addresses import MAX_URL_CHARACTERS
from highlighter.schemas.search import Cursor, NextCursor
from highlighter.store.webhooks import DELIVERY_STATES
from highlighter.webhooks.event_types import EVENT_TYPES

MAX_DESCRIPTION_CHARACTERS, MAX_WEBHOOK_COLLECTIONS = 200, 50

EventType = Literal[EVENT_TYPES]  # type: ignore[valid-type]  # the names are defined once, in a tuple
DeliveryState = Literal[DELIVERY_STATES]  # type: ignore[valid-type]  # as above
CollectionName = Annotated[
    str, StringConstraints(pattern=COLLECTION_NAME_PATTERN, max_length=MAX_COLLECTION_CHARACTERS)
]


class NewWebhook(BaseModel):
    """An address to be told of events."""

    model_config = ConfigDict(extra="forbid")

    url: str = Field(
        min_length=1,
        max_length=MAX_URL_CHARACTERS,
        description="https, at a public address; WEBHOOK_HOSTS names others",
    )
    events: list[EventType] = Field(
        list(EVENT_TYPES), min_length=1, max_length=len(EVENT_TYPES), description="by default all"
    )
    collections: list[CollectionName] | None = Field(
        None,
        min_length=1,
        max_length=MAX_WEBHOOK_COLLECTIONS,
        description="only events in these; by default in all that the key sees",
    )
    description: str = Field("", max_length=MAX_DESCRIPTION_CHARACTERS, description="for people: shown in lists")


class WebhookOut(BaseModel):
    """An address that is told of events."""

    id: str
    url: str
    events: list[EventType]
    collections: list[str] | None = Field(description="null: all")
    description: str
    created: str
    disabled: str | None = Field(
        description="since when nothing is sent, because the receiver answered 410; null: it is sent to"
    )
    links: dict[str, str]


class CreatedWebhook(WebhookOut):
    """A new webhook with its secret, which is shown once."""

    secret: str = Field(description="signs the messages (Standard Webhooks); it is not shown again")


class WebhookList(BaseModel):
    """The webhooks that the key may know of."""

    webhooks: list[WebhookOut]


class DeliveryListQuery(BaseModel):
    """The deliveries to list, and the page."""

    state: DeliveryState | None = Field(None, description="only deliveries in this state")
    limit: int = Field(50, ge=1, le=500)
    cursor: Cursor = None


class DeliveryOut(BaseModel):
    """An event as it is sent to a webhook."""

    id: str = Field(description="the header webhook-id, the same for each attempt")
    type: str
    at: str = Field(description="when it happened")
    state: DeliveryState = Field(description="waiting: it is sent again")
    attempts: int
    next_attempt: str | None = Field(description="when it is sent again; null: never")
    status: int | None = Field(description="of the last response; null: there was none")
    problem: str | None = Field(description="why the last attempt failed")
    document_id: str | None
    answer_id: str | None


class DeliveryList(BaseModel):
    """A page of the list of deliveries, the latest first."""

    deliveries: list[DeliveryOut]
    next_cursor: NextCursor = None
