"""Questions divided by rule, without a model."""
