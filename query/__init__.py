"""Read-only search over a published snapshot."""
