"""Files whose paths differ only in case, or only in Unicode normal form (NFC, NFD), committed to git."""

import subprocess
from pathlib import Path

NAMES = {
    "Util.py": "upper",
    "util.py": "lower",
    "src/A.py": "d1",
    "SRC/A.py": "d2",
    "caf\u00e9.py": "nfc",
    "cafe\u0301.py": "nfd",
}
for name, word in NAMES.items():
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(f"def who_{word}():\n    return 1\n")
subprocess.run(["git", "init", "-q", "-b", "main", "."], check=True)
subprocess.run(["git", "-c", "core.precomposeunicode=false", "-c", "core.ignorecase=false", "add", "-A"], check=True)
subprocess.run(["git", "commit", "-qm", "one"], check=True)
