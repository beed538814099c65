"""What every request passes before it is answered: who asks, whether they may, how often, and from whose page."""
