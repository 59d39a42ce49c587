"""Hand histories in and out: PHH, OHH and others. Not built yet."""
