"""A Markdown file of 34 KB with 401 headings."""

from pathlib import Path

PART = "## Part {0}\n\nSome *text* with `code` and [link](part.md#p{0}), see **more**.\n\n- a\n- b\n\n"
Path("big.md").write_text("# Title\n\n" + "".join(PART.format(i) for i in range(400)))
Path("part.md").write_text("# P\n")
