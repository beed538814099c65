"""Training of the claim reader: does a text say what a claim says?"""
