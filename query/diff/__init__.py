"""What changed from one snapshot to another: files, symbols, edges, and what may break."""

from .comparing import Difference, compare, open_side
from .lines import difference_lines

__all__ = ["Difference", "compare", "difference_lines", "open_side"]
