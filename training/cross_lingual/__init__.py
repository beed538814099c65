"""Training of the maps that bring questions near sentences in other languages."""
