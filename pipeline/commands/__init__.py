"""Commands that write; each module holds one, which `query.cli` loads by name."""
