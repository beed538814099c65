"""Parse the responses of other vendors' products, as they come, into texts, sources and citations. Nothing is fetched."""
