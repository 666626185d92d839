"""A bundle of 5 MB on one line beside one real file."""

from pathlib import Path

Path("app.bundle.js").write_text("".join(f"function f{i}(a){{return a+{i}}}" for i in range(180_000)))
Path("src").mkdir()
Path("src/real.js").write_text("export function realThing() {\n  return 1;\n}\n")
