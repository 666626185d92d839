"""Nesting that overflows the stack of whoever recurses once a level, in eleven languages, beside one healthy file."""

from pathlib import Path

N = 100_000
FILES = {
    "paren.js": "x = " + "(" * N + "1" + ")" * N + ";\nfunction after() {}\n",
    "list.py": "x = " + "[" * 20_000 + "]" * 20_000 + "\n\n\ndef after():\n    return 1\n",
    "obj.json": "[" * N + "]" * N + "\n",
    "sum.py": "x = " + " + ".join(["1"] * 30_000) + "\n\n\ndef after2():\n    return 1\n",
    "elif.c": "int f(int a) {\n"
    + "".join(f"if (a == {i}) return {i}; else " for i in range(5000))
    + "return 0;\n}\nint after3(void) { return 1; }\n",
    "tmpl.ts": "let x: " + "A<" * 3000 + "B" + ">" * 3000 + ";\n",
    "div.html": "<div>" * 20_000 + "</div>" * 20_000,
    "com.ml": "(*" * 40_000,
    "quote.md": ">" * 5000 + " x\n\n" + "[" * 20_000 + "\n",
    "blocks.rs": "fn f() " + "{" * 8000 + "}" * 8000 + "\nfn after4() {}\n",
    "ok.py": "def ok():\n    return 1\n",
}
for name, text in FILES.items():
    Path(name).write_text(text)
