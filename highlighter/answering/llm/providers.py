"""Providers: a name such as "groq/llama-3.3-70b" selects the client, the base URL and the key."""

from __future__ import annotations

from highlighter.answering.llm.anthropic_client import AnthropicClient
from highlighter.answering.llm.model_client import ModelClient
from highlighter.answering.llm.openai_client import OpenAIClient
from highlighter.secret import Secret
from highlighter.settings import PROVIDERS, Settings, SettingsError

# Providers that run locally need no key.
KEYLESS_PROVIDERS = frozenset({"ollama", "vllm"})


def create_model_client(name: str, settings: Settings) -> ModelClient:
    prefix, _, model = name.partition("/")
    if prefix not in PROVIDERS or not model:
        raise SettingsError(f"LLM_MODELS: {name!r} must be PROVIDER/MODEL, with one of {', '.join(PROVIDERS)}.")
    base_url = getattr(settings, f"{prefix}_base_url")
    client_type = AnthropicClient if prefix == "anthropic" else OpenAIClient
    if prefix in KEYLESS_PROVIDERS:
        return client_type(name, model, base_url, Secret())
    key = getattr(settings, f"{prefix}_api_key")
    secret = key if isinstance(key, Secret) else Secret(key)  # settings created in code may hold a plain string
    return client_type(name, model, base_url, secret, f"{prefix.upper()}_API_KEY")
