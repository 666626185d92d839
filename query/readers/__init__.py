"""Two ways to the same values: point lookups for one query, resident columns for many; both give identical answers."""
