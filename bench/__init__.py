"""The figures, as ratios in one run: machines differ and are shared, ratios hold."""
