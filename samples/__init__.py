"""Documents to try Highlighter on, written for it, with questions and the sentences that answer them."""
