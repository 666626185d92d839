"""Terms of symbols and files: text cut at symbols, tokens looked up, occurrences counted."""
