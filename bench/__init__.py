"""Benchmarks, as ratios within one run: machines differ and are shared, but ratios hold."""
