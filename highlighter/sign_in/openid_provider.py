"""The OpenID provider that signs people in: authorization code flow with PKCE, by Authlib.

What the provider publishes about itself, its keys included, is fetched when somebody signs in, with a time limit, and cached.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from ssl import SSLContext
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from highlighter.errors import HighlighterError, Unavailable
from highlighter.locale import N_
from highlighter.settings import Settings
from highlighter.sign_in.people import MAX_NAME_CHARACTERS, Person, compute_person_id

if TYPE_CHECKING:
    from authlib.integrations.httpx_client import OAuth2Client
    from joserfc.jwk import KeySet

log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 10.0
CACHE_SECONDS = 3600.0
MIN_KEY_REFRESH_SECONDS = 60.0  # a token with an unknown key makes the keys be fetched again, but no more often
CLOCK_TOLERANCE_SECONDS = 60
METADATA_PATH = "/.well-known/openid-configuration"
# Of private keys alone: a key that both sides have would let whoever reads our settings sign tokens.
SIGNING_ALGORITHMS = (
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519",
)  # fmt: skip
NAME_CLAIMS = ("name", "preferred_username", "email")
MAX_GROUPS = 1_000


class SignInFailed(HighlighterError):
    """The error for a sign-in that ends without a session; the sentence says what to do next."""

    problem_type = "sign-in-failed"
    status, title = 400, N_("Sign-in failed")


class SignInUnavailable(Unavailable):
    """The error for a provider that does not answer, or not as OpenID Connect says."""

    problem_type = "sign-in-unavailable"
    retry_after = 10

    def __init__(self) -> None:
        super().__init__("The sign-in service does not answer. Try again in a moment, or tell your administrator.")


@dataclass(frozen=True, slots=True)
class Attempt:
    """The secrets of one sign-in, which its browser alone has: what comes back must fit to them."""

    state: str
    nonce: str
    code_verifier: str


@dataclass(frozen=True, slots=True)
class Authentication:
    """A person as the provider has authenticated them, with the ID token, by which they can be signed out there."""

    person: Person
    id_token: str


class OpenIdProvider:
    """The provider at OIDC_ISSUER, for one client of it."""

    def __init__(self, settings: Settings):
        self.issuer = settings.oidc_issuer
        self.name = settings.oidc_name or urlsplit(self.issuer).netloc
        self._client_id, self._client_secret = settings.oidc_client_id, settings.read_oidc_client_secret()
        self._scopes = settings.oidc_scopes
        self._groups_claim = settings.oidc_groups_claim
        self._lock = threading.Lock()
        self._metadata: dict[str, Any] = {}
        self._metadata_time = self._keys_time = 0.0
        self._keys: KeySet | None = None

    def build_authorization_url(self, attempt: Attempt, redirect_uri: str) -> str:
        """Return the address at the provider that a browser is sent to."""
        metadata = self._load_metadata()
        with self._open_client(redirect_uri) as client:
            url, _ = client.create_authorization_url(
                metadata["authorization_endpoint"],
                state=attempt.state,
                nonce=attempt.nonce,
                code_verifier=attempt.code_verifier,
            )
        return str(url)

    def authenticate(self, attempt: Attempt, response: Mapping[str, str], redirect_uri: str) -> Authentication:
        """Return whom the provider authenticated, given the parameters with which it sent the browser back."""
        from authlib.integrations.base_client.errors import OAuthError
        from httpx2 import HTTPError
        from joserfc.errors import JoseError

        metadata = self._load_metadata()
        if response.get("iss", metadata["issuer"]) != metadata["issuer"] or not response.get("code"):
            raise SignInFailed("The sign-in service sent an answer that cannot be used. Sign in again.")
        try:
            with self._open_client(redirect_uri) as client:
                token = client.fetch_token(
                    metadata["token_endpoint"],
                    code=response["code"],
                    code_verifier=attempt.code_verifier,
                    grant_type="authorization_code",
                )
                claims = self._verify(token, attempt.nonce)
                claims = {**self._fetch_user_info(client, claims), **claims}
        except (HTTPError, ValueError) as err:
            log.warning("The OpenID provider could not be asked: %s", type(err).__name__)
            raise SignInUnavailable from err
        except (OAuthError, JoseError, KeyError) as err:
            log.warning("A sign-in was refused: %s: %s", type(err).__name__, str(err)[:200])
            raise SignInFailed("The sign-in could not be verified. Sign in again.") from err
        return Authentication(self._build_person(claims), str(token["id_token"]))

    def build_sign_out_url(self, id_token: str, return_url: str) -> str:
        """Return the address at the provider that signs its session out; "" where it offers none, or does not answer."""
        try:
            endpoint = self._load_metadata().get("end_session_endpoint")
        except SignInUnavailable:
            return ""
        if not isinstance(endpoint, str) or not endpoint.startswith(("https://", "http://")):
            return ""
        query = {"client_id": self._client_id, "post_logout_redirect_uri": return_url}
        query |= {"id_token_hint": id_token} if id_token else {}
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"

    # -- what the provider publishes -----------------------------------------------------------------------------

    def _load_metadata(self) -> dict[str, Any]:
        with self._lock:
            if not self._metadata or time.monotonic() - self._metadata_time > CACHE_SECONDS:
                metadata = self._fetch_json(f"{self.issuer}{METADATA_PATH}")
                self._check_metadata(metadata)
                self._metadata, self._metadata_time, self._keys = metadata, time.monotonic(), None
            return self._metadata

    def _check_metadata(self, metadata: dict[str, Any]) -> None:
        """Raise SignInUnavailable for a provider that calls itself otherwise, or that lacks an endpoint."""
        names = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")
        missing = [name for name in names if not isinstance(metadata.get(name), str)]
        if missing:
            log.error("OIDC_ISSUER: the provider at %s does not publish %s", self.issuer, ", ".join(missing))
            raise SignInUnavailable
        if metadata["issuer"].rstrip("/") != self.issuer:
            log.error("OIDC_ISSUER is %s, but the provider calls itself %s", self.issuer, metadata["issuer"])
            raise SignInUnavailable

    def _load_keys(self, token_time: float = 0.0) -> KeySet:
        """Return the provider's keys; those fetched before `token_time` are fetched again, unless that was just done."""
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        metadata = self._load_metadata()
        with self._lock:
            age = time.monotonic() - self._keys_time
            if self._keys is None or (self._keys_time < token_time and age > MIN_KEY_REFRESH_SECONDS):
                try:
                    self._keys = KeySet.import_key_set(self._fetch_json(metadata["jwks_uri"]))  # type: ignore[arg-type]
                except (JoseError, KeyError, TypeError, ValueError) as err:
                    log.warning("The keys of the OpenID provider cannot be used: %s", type(err).__name__)
                    raise SignInUnavailable from err
                self._keys_time = time.monotonic()
            return self._keys

    def _fetch_json(self, url: str) -> dict[str, Any]:
        from httpx2 import HTTPError

        try:
            with self._open_client() as client:
                response = client.request("GET", url, withhold_token=True)
                response.raise_for_status()
                content = response.json()
        except (HTTPError, ValueError) as err:
            log.warning("The OpenID provider does not answer at %s: %s", url, type(err).__name__)
            raise SignInUnavailable from err
        if not isinstance(content, dict):
            raise SignInUnavailable
        return content

    def _open_client(self, redirect_uri: str = "") -> OAuth2Client:
        from authlib.integrations.httpx_client import OAuth2Client

        methods = self._metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        method = "client_secret_basic" if "client_secret_basic" in methods else "client_secret_post"
        return OAuth2Client(
            self._client_id,
            self._client_secret.reveal() or None,
            token_endpoint_auth_method=method if self._client_secret else "none",
            scope=" ".join(self._scopes),
            redirect_uri=redirect_uri,
            code_challenge_method="S256",
            timeout=TIMEOUT_SECONDS,
            verify=_load_certificates(),
            follow_redirects=False,
        )

    # -- whom it has authenticated -------------------------------------------------------------------------------

    def _verify(self, token: Mapping[str, Any], nonce: str) -> dict[str, Any]:
        """Return the claims of the ID token; raise JoseError unless the provider signed it for this attempt."""
        from authlib.oidc.core import CodeIDToken
        from joserfc import jwt
        from joserfc.errors import InvalidKeyIdError
        from joserfc.jws import JWSRegistry

        registry = JWSRegistry(algorithms=list(SIGNING_ALGORITHMS), strict_check_header=False)
        text, now = token["id_token"], time.monotonic()
        try:
            decoded = jwt.decode(text, self._load_keys(), registry=registry)
        except InvalidKeyIdError:  # the provider may have got new keys
            decoded = jwt.decode(text, self._load_keys(now), registry=registry)
        issuer = self._load_metadata()["issuer"]
        options: Any = {
            "iss": {"essential": True, "value": issuer},
            "aud": {"essential": True, "value": self._client_id},
            "sub": {"essential": True},
        }
        expected = {"nonce": nonce, "client_id": self._client_id, "access_token": token.get("access_token")}
        claims = CodeIDToken(decoded.claims, decoded.header, options, expected)
        claims.validate(leeway=CLOCK_TOLERANCE_SECONDS)
        return dict(claims)

    def _fetch_user_info(self, client: OAuth2Client, claims: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the provider says of the person beside the ID token, where that lacks the groups or a name."""
        endpoint = self._load_metadata().get("userinfo_endpoint")
        has_groups = find_claim(claims, self._groups_claim) is not None
        if not endpoint or (has_groups and any(claims.get(name) for name in NAME_CLAIMS)):
            return {}
        response = client.get(endpoint)
        response.raise_for_status()
        found = response.json()
        if not isinstance(found, dict) or found.get("sub") != claims["sub"]:
            raise SignInFailed("The sign-in service sent an answer that cannot be used. Sign in again.")
        return found

    def _build_person(self, claims: Mapping[str, Any]) -> Person:
        names = (clean_name(claims.get(name)) for name in NAME_CLAIMS)
        name = next(filter(None, names), "") or clean_name(claims["sub"]) or "?"
        if find_claim(claims, self._groups_claim) is None:
            log.info("A person signed in without the claim %s of OIDC_GROUPS_CLAIM", self._groups_claim)
        groups = list_groups(claims, self._groups_claim)
        return Person(compute_person_id(self.issuer, claims["sub"]), name, groups)


@lru_cache(maxsize=1)
def _load_certificates() -> SSLContext:
    """Return the certificates that providers are checked with: to load them takes longer than to ask."""
    from httpx2 import create_ssl_context

    return create_ssl_context()


def list_groups(claims: Mapping[str, Any], claim: str) -> frozenset[str]:
    """Return the groups that a claim names: a list, or one text. An address of e-mail counts once it is verified."""
    value = find_claim(claims, claim)
    if claim == "email" and claims.get("email_verified") is not True:
        return frozenset()
    groups = value if isinstance(value, list) else [value]
    return frozenset(group for group in groups[:MAX_GROUPS] if isinstance(group, str) and group and group.isprintable())


def clean_name(value: Any) -> str:
    """Return a claim as a name of one line, without characters that cannot be shown or stored; "" for no text."""
    words = value.split() if isinstance(value, str) else []
    return "".join(filter(str.isprintable, " ".join(words)))[:MAX_NAME_CHARACTERS].strip()


def find_claim(claims: Mapping[str, Any], name: str) -> Any:
    """Return a claim by its name, or by a path of names with dots such as `realm_access.roles`; None for none."""
    if name in claims:
        return claims[name]
    value: Any = claims
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
