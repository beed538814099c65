"""Signed addresses of objects in an S3-compatible storage (AWS Signature Version 4, in the query)."""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime
from urllib.parse import quote, urlencode, urlsplit

from highlighter.store.object_storage import StorageAccess

ALGORITHM = "AWS4-HMAC-SHA256"
DEFAULT_REGION = "us-east-1"


def sign_url(
    access: StorageAccess,
    endpoint: str,
    key: str,
    parameters: dict[str, str],
    seconds: int,
    now: datetime | None = None,
) -> str:
    """Return an address at which anybody may read an object for some seconds.

    `parameters` are those of S3's GetObject, such as `response-content-type`.
    """
    time = (now or datetime.now(UTC)).strftime("%Y%m%dT%H%M%SZ")
    scope = f"{time[:8]}/{access.region or DEFAULT_REGION}/s3/aws4_request"
    host, base_path = urlsplit(endpoint).netloc, urlsplit(endpoint).path
    path = quote(f"{base_path}/{access.bucket}/{f'{access.prefix}/{key}'.lstrip('/')}")
    values = {
        "X-Amz-Algorithm": ALGORITHM,
        "X-Amz-Credential": f"{access.access_key_id}/{scope}",
        "X-Amz-Date": time,
        "X-Amz-Expires": str(seconds),
        "X-Amz-SignedHeaders": "host",
        **({"X-Amz-Security-Token": access.session_token.reveal()} if access.session_token else {}),
        **parameters,
    }
    query = urlencode(sorted(values.items()), quote_via=quote, safe="-_.~")
    request = f"GET\n{path}\n{query}\nhost:{host}\n\nhost\nUNSIGNED-PAYLOAD"
    text = f"{ALGORITHM}\n{time}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
    signing_key = f"AWS4{access.secret_access_key.reveal()}".encode()
    for part in scope.split("/"):
        signing_key = hmac.digest(signing_key, part.encode(), "sha256")
    signature = hmac.new(signing_key, text.encode(), "sha256").hexdigest()
    return f"{urlsplit(endpoint).scheme}://{host}{path}?{query}&X-Amz-Signature={signature}"
