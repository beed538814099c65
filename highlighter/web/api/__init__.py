"""The HTTP API below /api/v1."""
