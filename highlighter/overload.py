"""The mark of a request that gets no slot in time: the server sets it, the application refuses what has it."""

ENVIRON_OVERLOADED = "highlighter.is_overloaded"  # a key of the WSGI environment
