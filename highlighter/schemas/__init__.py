"""The request and response models of the API, as pydantic models without Flask."""
