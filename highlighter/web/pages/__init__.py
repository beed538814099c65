"""The ask page: a question typed in, an answer to be looked into. A front door, as the API is one for programs."""
