"""The soak: kills, failing writes, damaged files and load, until something breaks (`make soak`)."""
