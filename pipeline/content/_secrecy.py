"""Find likely secrets in files that are made to hold configuration; source code is never judged.

Names alone are judged by `roles.is_secret_name`; here are private keys inside data files, and literals of high entropy
in files like `.env.example`.
"""

from __future__ import annotations

import math
import re
from collections import Counter

__all__ = ["has_secrets", "secrecy_of"]

_DATA = re.compile(
    r"[^.]+|.*\.(pem|crt|cer|cert|p8|txt|asc|gpg|pgp|env|ya?ml|json|toml|ini|cfg|conf|cnf|config|properties|xml|tf|tfvars"
    r"|tfstate|plist|hcl)|\.[^.]+"
)
_PRIVATE_KEY = re.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:[^-]{0,400}?)[A-Za-z0-9+/]{40}")

_ENV_LIKE = re.compile(
    r"\.env.*|.*\.env|.*[._-]env[._-](example|sample|template|dist)|(example|sample|template)s?\.env|\.npmrc|\.yarnrc(\.yml)?"
    r"|\.pypirc|.*\.tfvars|.*\.tfstate|(.*[._-])?(secrets?|credentials?)([._-].*)?\.(ya?ml|json|toml|ini|properties|env|txt)"
)
_LITERAL = re.compile(r"[=:]\s*[\"']?([A-Za-z0-9+/_=.-]{20,})")
_KNOWN = re.compile(
    r"\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60}|xox[abprs]-[0-9A-Za-z-]{10}|[sr]k_live_[0-9A-Za-z]{20}"
    r"|AIza[0-9A-Za-z_-]{35}|glpat-[0-9A-Za-z_-]{20}|npm_[A-Za-z0-9]{36}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.)"
)
"""Tokens whose issuers gave them a recognisable form."""

_BITS = 4.0
"""Shannon entropy a character from which a literal of 20 and more looks random: English words stay below 3.7, random
base64 of that length is above 4.1."""

_HEX_BITS = 3.0
"""The same for hexadecimal digits, of which random ones approach 4 and repeated ones stay below 2."""

_HEX = re.compile(r"[0-9a-fA-F]{32,}")


def has_secrets(text: str, basename: str) -> bool:
    """Tell whether a file of configuration or data likely holds a secret."""
    is_data, is_env_like = secrecy_of(basename)
    if "PRIVATE KEY" in text and is_data and _PRIVATE_KEY.search(text):
        return True
    if not is_env_like:
        return False
    return _KNOWN.search(text) is not None or any(_is_random(value) for value in _LITERAL.findall(text))


def secrecy_of(basename: str) -> tuple[bool, bool]:
    """Tell by the name whether a file may hold keys, and whether its literals count."""
    name = basename.lower()
    return _DATA.fullmatch(name) is not None, _ENV_LIKE.fullmatch(name) is not None


def _is_random(value: str) -> bool:
    if _HEX.fullmatch(value):
        return _entropy(value) > _HEX_BITS
    mixed = any(c.isdigit() for c in value) and any(c.isupper() for c in value) and any(c.islower() for c in value)
    return mixed and _entropy(value) > _BITS


def _entropy(value: str) -> float:
    """Return the Shannon entropy in bits a character."""
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())
