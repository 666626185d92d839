"""Languages that are told apart but not parsed: their files are searched as text."""

from __future__ import annotations

from ._facts import Language


def _row(id_: str, extensions: str = "", names: str = "", interpreters: str = "") -> Language:
    return Language(
        id=id_,
        extensions=tuple(extensions.split()),
        names=tuple(names.split()),
        interpreters=tuple(interpreters.split()),
    )


ROWS = (
    _row("restructuredtext", ".rst"),
    _row("text", ".txt", "LICENSE COPYING README NOTICE AUTHORS CHANGELOG"),
    _row("xml", ".xml .xsd .xsl .xslt .svg .plist .csproj .props .targets"),
    _row("bash", ".sh .bash .zsh .ksh .bats", ".bashrc .bash_profile .profile .zshrc", "sh bash zsh dash ksh"),
    _row("lua", ".lua", "", "lua luajit"),
    _row("elixir", ".ex .exs", "", "elixir"),
    _row("erlang", ".erl .hrl"),
    _row("zig", ".zig"),
    _row("haskell", ".hs .lhs", "", "runhaskell"),
    _row("ocaml", ".ml .mli", "", "ocaml"),
    _row("r", ".r .R", "", "Rscript"),
    _row("julia", ".jl", "", "julia"),
    _row("perl", ".pl .pm .t", "", "perl"),
    _row("css", ".css"),
    _row("scss", ".scss .sass .less"),
    _row("objc", ".m .mm"),
    _row("proto", ".proto"),
    _row("graphql", ".graphql .gql"),
)
