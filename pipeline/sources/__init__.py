"""Sources: list the files of a work tree, a plain folder or a commit, and read them."""

from .model import Content, Entry, ListingOptions, Source, SourceRequest
from .opening import open_source
from .requests import check_names, load_repos, parse_source

__all__ = [
    "Content",
    "Entry",
    "ListingOptions",
    "Source",
    "SourceRequest",
    "check_names",
    "load_repos",
    "open_source",
    "parse_source",
]
