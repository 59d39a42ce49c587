"""Odds, exact solving, simulation, reports and charts. Not built yet."""
