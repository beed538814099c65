"""Who writes: a name such as "groq/llama-3.3-70b" picks the way of asking, the address and the key."""

from __future__ import annotations

from highlighter.generation.talking.anthropic_style import AnthropicStyle
from highlighter.generation.talking.asking import Asking
from highlighter.generation.talking.openai_style import OpenAIStyle
from highlighter.secret import Secret
from highlighter.settings import PROVIDERS, Settings, SettingsError

# Those that run at home ask for no key.
WITHOUT_KEY = frozenset({"ollama", "vllm"})


def provider(name: str, settings: Settings) -> Asking:
    prefix, _, model = name.partition("/")
    if prefix not in PROVIDERS or not model:
        raise SettingsError(f"LLM_MODELS: {name!r} must be PROVIDER/MODEL, with one of {', '.join(PROVIDERS)}.")
    base_url = getattr(settings, f"{prefix}_base_url")
    style = AnthropicStyle if prefix == "anthropic" else OpenAIStyle
    if prefix in WITHOUT_KEY:
        return style(name, model, base_url, Secret())
    key = getattr(settings, f"{prefix}_api_key")
    secret = key if isinstance(key, Secret) else Secret(key)  # settings made by hand may hold it plain
    return style(name, model, base_url, secret, f"{prefix.upper()}_API_KEY")
