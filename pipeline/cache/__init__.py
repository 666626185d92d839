"""What runs keep for later runs: facts of files by content, and values of later phases by whatever they depend on."""

from .code import QUERY_CODE, code_digest
from .facts import FACTS, FactsCache, Known, runs
from .folder import CACHE_ENV, cache_folder, open_folder
from .keys import file_key, fingerprint
from .pruning import MOST_BYTES, MOST_SECONDS, Pruned, prune
from .values import VALUES, Values

__all__ = [
    "CACHE_ENV",
    "FACTS",
    "MOST_BYTES",
    "MOST_SECONDS",
    "QUERY_CODE",
    "VALUES",
    "FactsCache",
    "Known",
    "Pruned",
    "Values",
    "cache_folder",
    "code_digest",
    "file_key",
    "fingerprint",
    "open_folder",
    "prune",
    "runs",
]
