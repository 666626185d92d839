"""What runs keep for later runs: facts of files by content, and values of later phases by whatever they depend on."""

from .code import code_digest
from .folder import CACHE_ENV, cache_folder, open_folder
from .values import Values

__all__ = ["CACHE_ENV", "Values", "cache_folder", "code_digest", "open_folder"]
