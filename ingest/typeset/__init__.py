"""Pages for a document that has none of its own, and the map from its text to them."""
