"""Signed addresses are those of Amazon's own library, and a storage accepts them."""

from datetime import UTC, datetime
from urllib.parse import parse_qsl, urlsplit

import pytest

from highlighter.secret import Secret
from highlighter.store.object_storage import StorageAccess
from highlighter.store.presigned_urls import sign_url

PARAMETERS = {
    "response-content-type": "application/pdf",
    "response-content-disposition": "inline; filename*=UTF-8''%C3%9Cber%20uns~.pdf",
}


@pytest.mark.parametrize("token", ["", "a/token+with=signs"])
@pytest.mark.parametrize("prefix", ["", "/some/prefix"])
def test_signed_url_is_that_of_amazons_library(prefix, token):
    import botocore.session
    from botocore.config import Config

    now = datetime.now(UTC)
    client = botocore.session.Session().create_client(
        "s3",
        region_name="eu-west-1",
        endpoint_url="https://files.example",
        aws_access_key_id="AKID",
        aws_secret_access_key="a secret/with+signs",
        aws_session_token=token or None,
        config=Config(signature_version="s3v4", s3={"addressing_style": "path"}),
    )
    expected = client.generate_presigned_url(
        "get_object",
        {
            "Bucket": "bucket",
            "Key": f"{prefix}/originals/ab/abc".lstrip("/"),
            "ResponseContentType": PARAMETERS["response-content-type"],
            "ResponseContentDisposition": PARAMETERS["response-content-disposition"],
        },
        ExpiresIn=300,
    )
    signed_at = datetime.strptime(dict(parse_qsl(urlsplit(expected).query))["X-Amz-Date"], "%Y%m%dT%H%M%SZ")
    assert abs((signed_at.replace(tzinfo=UTC) - now).total_seconds()) < 60
    access = StorageAccess(
        f"s3://bucket{prefix}", "", "eu-west-1", "AKID", Secret("a secret/with+signs"), Secret(token)
    )
    signed = sign_url(access, "https://files.example", "originals/ab/abc", PARAMETERS, 300, signed_at)
    assert urlsplit(signed)[:3] == urlsplit(expected)[:3]
    assert dict(parse_qsl(urlsplit(signed).query)) == dict(parse_qsl(urlsplit(expected).query))
