"""The contract that the pipeline writes and the query module reads; standard library only."""
