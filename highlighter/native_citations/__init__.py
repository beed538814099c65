"""Open the citations of other vendors' responses: the document and the sentence of each, with a verdict on its claim."""
