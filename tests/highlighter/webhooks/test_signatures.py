"""Tests of signatures against an example of the Standard Webhooks libraries."""

from __future__ import annotations

import pytest

from highlighter.errors import BadRequest
from highlighter.webhooks.signatures import compute_signature, create_secret

SECRET, ID, TIMESTAMP = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330


def test_signature_is_that_of_other_implementations():
    expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert compute_signature(SECRET, ID, TIMESTAMP, b'{"test": 2432232314}') == expected


def test_secrets_differ_and_malformed_ones_are_refused():
    assert create_secret() != create_secret()
    with pytest.raises(BadRequest):
        compute_signature("whsec_!", ID, TIMESTAMP, b"")
