"""Whether an answer says what its sources say: claims, quotations, verdicts. Any system's answer, not only our own."""
