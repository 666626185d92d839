"""One module a method: `METHOD` says what it is, where it was tried and what was claimed, and makes it for a corpus."""
