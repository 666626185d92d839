"""Unclosed constructs that make a parser's error recovery slow, beside one healthy file."""

from pathlib import Path

FILES = {
    "a.js": "for (;;) { try { go( } catch { [ ( , q\n" * 400,
    "floats.h": ",\n".join(f"{{0x{i:08x}, {{{i}.f}}" for i in range(16_000)),
    "k.kt": "val a = " + "x<y<z>(b" * 300 + "\n",
    "ok.js": "function ok() {}\n",
}
for name, text in FILES.items():
    Path(name).write_text(text)
