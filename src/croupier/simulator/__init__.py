"""The simulator: a whole floor in one thread, on a virtual clock, from one seed.

See `docs/simulator.md`.
"""
