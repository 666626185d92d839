"""Batch indexing: sources, extraction, terms, merge and publication of snapshots."""
