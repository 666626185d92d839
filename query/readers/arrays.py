"""Names for array types; numpy.typing is for type checkers only, because importing it costs a search milliseconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Bools = NDArray[np.bool_]
    Codes = NDArray[np.uint8]
    Floats = NDArray[np.float64]
    Ids = NDArray[np.int32]
    Impacts = NDArray[np.uint16]
    Places = NDArray[np.int64]
    Singles = NDArray[np.float32]
else:
    Array = Bools = Codes = Floats = Ids = Impacts = Places = Singles = np.ndarray

__all__ = ["Array", "Bools", "Codes", "Floats", "Ids", "Impacts", "Places", "Singles", "distinct"]


def distinct(values: Array) -> Array:
    """Return the distinct values, ascending: `np.unique`, which would import numpy.ma, a tenth of all that a search costs."""
    ordered = np.sort(values)
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]
