"""pyarrow's compute functions, untyped: the stubs' overloads know no plain Python scalars and not every kernel."""

from __future__ import annotations

from typing import Any

import pyarrow.compute

__all__ = ["compute"]

compute: Any = pyarrow.compute
