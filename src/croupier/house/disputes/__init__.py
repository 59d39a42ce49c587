"""Disputes: the sealed file of a round or ruling, the patron's notice, and what is held."""
