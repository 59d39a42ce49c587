"""The commands. No logic of their own: each asks a floor below and prints the answer."""
