"""An ordinary module with a literal of 300 KB on one line."""

from pathlib import Path

Path("assets.py").write_text('LOGO = "' + "QUJDRA" * 50_000 + '"\n\n\ndef logo():\n    return LOGO\n')
