"""Markdown nested deeply enough to overflow the block stack of tree-sitter's scanner, beside one healthy file."""

from pathlib import Path

FILES = {
    "quotes.md": ">" * 256 + " x\n",
    "dashes.md": "- " * 256 + "x\n",
    "list.md": "".join("  " * i + "- a\n" for i in range(256)),
    "mail.txt": "> " * 300 + "old mail\n",
    "ok.md": "# Fine\n\nSee [q](quotes.md).\n",
}
for name, text in FILES.items():
    Path(name).write_text(text)
