"""The cost of each page for its reader: how soon it is there, how still it stands, and how much it loads."""
