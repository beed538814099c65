"""How good answers are: labels resolved, altered quotes caught, claims judged, the right sentence cited, and how soon."""
