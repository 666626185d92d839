"""Measure retrieval on repositories and questions of the user's own: suites, baselines, intervals, a gate, a report."""
