"""Ranking in stages, each from values to values: query, route, seeds, evidence, score, rows."""
