"""Authentication, required scopes, rate limits, and the origins and hosts that requests may come from."""
