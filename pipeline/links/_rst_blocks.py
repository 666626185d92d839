"""The lines of reStructuredText: directives that name files, targets, and which lines hold markup at all."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .marks import Mark

__all__ = ["Blocks", "normalized", "read_blocks"]

_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|]+\|[ \t]+)?([\w.+:-]+)::(?:[ \t]+(.*))?\Z")
_TARGET = re.compile(r"\.\.[ \t]+_(`[^`]+`|(?![_ `])(?:[^:\\]|\\.|:(?!\s|\Z))+):(?:[ \t]+(.*))?\Z")
_ANONYMOUS = re.compile(r"(?:\.\.[ \t]+__:|__)[ \t]+(\S.*)\Z")
_NOTE = re.compile(r"\.\.[ \t]+(?:\[[^\]]+\][ \t]|\|[^|]+\|[ \t])")
_BULLET = re.compile(r"(?:[-*+•]|\(?(?:\d+|#|[A-Za-z])[.)])[ \t]+")
_TITLED = re.compile(r".*<([^<>]+)>\Z")

_VERBATIM = frozenset(
    "code code-block sourcecode literalinclude include highlight math raw testcode testsetup testcleanup testoutput doctest "
    "prompt graphviz digraph graph mermaid uml jupyter-execute ipython productionlist image figure toctree".split()
)
"""Directives whose content is no running text."""


@dataclass(slots=True)
class Blocks:
    """What lines say: links of directives; names with their URI; labels with their line; URIs without a name in order.

    `text` has all lines of the document, those without markup blank.
    """

    text: str = ""
    links: list[Mark] = field(default_factory=list)
    targets: dict[str, str] = field(default_factory=dict)
    labels: list[tuple[str, int]] = field(default_factory=list)
    anonymous: list[str] = field(default_factory=list)


def normalized(name: str) -> str:
    """Return a reference name in the form in which names are compared."""
    return " ".join(name.replace("\\", "").lower().split())


def read_blocks(text: str) -> Blocks:
    """Read a text line by line."""
    reader = _Reader()
    kept = [line if reader.is_markup(line) else "" for line in text.split("\n")]
    reader.blocks.text = "\n".join(kept)
    return reader.blocks


class _Reader:
    def __init__(self) -> None:
        self.blocks = Blocks()
        self._line = 0
        self._hidden_below: int | None = None
        """Lines that are indented by more than this hold no markup."""
        self._in_toctree = False

    def is_markup(self, line: str) -> bool:
        """Take up one line and say whether it may hold inline markup."""
        self._line += 1
        text = line.strip()
        if not text:
            return False
        if self._hidden_below is None and text[0] not in "._" and text[-1] != ":":
            return True
        line = line.expandtabs(8)
        indent = len(line) - len(line.lstrip())
        if self._hidden_below is not None:
            if indent > self._hidden_below:
                if self._in_toctree:
                    self._entry(text)
                return False
            self._hidden_below, self._in_toctree = None, False
        if text.startswith("..") and (len(text) == 2 or text[2] in " \t"):
            return self._explicit(text, indent)
        if text.startswith("__ ") and (anonymous := _ANONYMOUS.match(text)):
            self.blocks.anonymous.append(anonymous[1])
            return False
        if text.endswith("::"):
            bullet = _BULLET.match(text)
            self._hidden_below = indent + (len(bullet[0]) if bullet else 0)
        return True

    def _explicit(self, text: str, indent: int) -> bool:
        """Read a line that begins with two dots: a directive, a target, a note, or else a comment."""
        blocks = self.blocks
        if directive := _DIRECTIVE.match(text):
            return self._directive(directive[1].rpartition(":")[2], (directive[2] or "").strip(), indent)
        if anonymous := _ANONYMOUS.match(text):
            blocks.anonymous.append(anonymous[1])
        elif target := _TARGET.match(text):
            name, uri = normalized(target[1].strip("`")), "".join((target[2] or "").split())
            if uri:
                blocks.targets.setdefault(name, uri)
            else:
                blocks.labels.append((name, self._line))
        elif _NOTE.match(text):
            return True
        else:
            self._hidden_below = indent
        return False

    def _directive(self, name: str, argument: str, indent: int) -> bool:
        if name in ("include", "literalinclude") and argument and not argument.startswith("<"):
            self.blocks.links.append(Mark("include", argument, self._line))
        self._in_toctree = name == "toctree"
        if name in _VERBATIM:
            self._hidden_below = indent
            return False
        return True

    def _entry(self, text: str) -> None:
        """Add an entry of a table of contents; patterns name no single document."""
        titled = _TITLED.match(text)
        target = titled[1].strip() if titled else text
        if not text.startswith(":") and target != "self" and not any(char in target for char in "*?["):
            self.blocks.links.append(Mark("toctree", target, self._line))
