"""An OpenID provider on this machine, over HTTP: it signs in whom the test names, and can be made to answer wrongly."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, KeySet

CLIENT_ID, CLIENT_SECRET = "highlighter", "a-secret-with-%:+-in-it"
EXPECTED_BASIC = "highlighter:a-secret-with-%25%3A%2B-in-it"  # form-encoded, as OAuth 2.0 says


class OpenIdServer:
    """The provider. Tests change its attributes before somebody signs in; `reset` takes the changes back."""

    def __init__(self) -> None:
        self.key = ECKey.generate_key("P-256", parameters={"kid": "first"})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"provider": self}))
        self.issuer = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        self.reset()

    def reset(self) -> None:
        self.user = {"sub": "ann", "name": "Ann Lee", "groups": ["alpha"]}
        self.claims: dict = {}  # that replace those of the ID token; None leaves one out
        self.metadata: dict = {}
        self.header: dict = {}
        self.signing_key = self.key
        self.published_keys = [self.key]
        self.user_info: dict | None = None
        self.requests: list[str] = []
        self.codes: dict[str, dict[str, str]] = {}
        self.down = False

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def publish(self) -> dict:
        paths = {
            "authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys",
            "userinfo_endpoint": "userinfo", "end_session_endpoint": "logout",
        }  # fmt: skip
        addresses = {name: f"{self.issuer}/{path}" for name, path in paths.items()}
        return {"issuer": self.issuer, **addresses, **self.metadata}

    def authorize(self, query: dict[str, str]) -> str:
        """Return the address to which the browser is sent back."""
        code = secrets.token_urlsafe(8)
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state'], 'iss': self.issuer})}"

    def exchange(self, form: dict[str, str], basic: str) -> tuple[int, dict]:
        """Return the tokens for a code, which is good once, and only for the client and browser that asked for it."""
        query = self.codes.pop(form.get("code", ""), None)
        verifier = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).rstrip(b"=").decode()
        if basic not in (EXPECTED_BASIC, f"{CLIENT_ID}:{CLIENT_SECRET}"):
            return 401, {"error": "invalid_client"}
        if query is None or query["code_challenge"] != challenge or query["redirect_uri"] != form["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": query["client_id"], "exp": now + 300, "iat": now, "nonce": query["nonce"]}
        claims |= {**self.user, **self.claims}
        claims = {name: value for name, value in claims.items() if value is not None}
        header = {"alg": "ES256", "kid": "first", **self.header}
        token = jwt.encode(header, claims, self.signing_key, algorithms=[header["alg"]])
        return 200, {"access_token": "for-userinfo", "token_type": "Bearer", "expires_in": 300, "id_token": token}


class _Handler(BaseHTTPRequestHandler):
    provider: OpenIdServer

    def do_GET(self) -> None:
        provider, parts = self.provider, urlsplit(self.path)
        provider.requests.append(parts.path)
        if provider.down:
            return self._send(502, {})
        match parts.path:
            case "/.well-known/openid-configuration":
                self._send(200, provider.publish())
            case "/keys":
                self._send(200, KeySet(provider.published_keys).as_dict(private=False))
            case "/userinfo":
                self._send(200, provider.user_info or provider.user)
            case "/authorize":
                self._redirect(provider.authorize(_read_form(parts.query)))
            case "/logout":
                self._redirect(_read_form(parts.query)["post_logout_redirect_uri"])

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.provider.requests.append(self.path)
        basic = base64.b64decode(self.headers.get("Authorization", "Basic ").removeprefix("Basic ")).decode()
        self._send(*self.provider.exchange(_read_form(body), basic))

    def _redirect(self, address: str) -> None:
        self.send_response(303)
        self.send_header("Location", address)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, status: int, content: dict) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        pass


def _read_form(text: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(text).items()}
