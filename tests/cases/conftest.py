"""The inputs of the cases are data, not tests."""

collect_ignore = ["pack", "trees"]
