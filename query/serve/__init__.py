"""The index for coding agents: five read-only tools and two resources over MCP on stdio.

Only `server` needs the extra; tools, arguments and the opening of the index know nothing of the protocol.
"""

from __future__ import annotations

from .arguments import checked
from .clients import CLIENTS, client_config
from .library import Library, Shelf
from .service import Reply, Service
from .tools import TOOLS, Tool

__all__ = ["CLIENTS", "TOOLS", "Library", "Reply", "Service", "Shelf", "Tool", "checked", "client_config"]
