"""A small corpus that many tests search: a shop in Python, with tests, documents, configuration and a second repository."""

from __future__ import annotations

from pathlib import Path

from codequarry.query.results import Hit, Provenance

from .stores import EdgeSpec, FileSpec, SymbolSpec, build_store

__all__ = ["ADD_ITEM", "SHOP", "TOOLS", "build_shop"]

_CART = '''"""Shopping cart."""


class ShoppingCart:
    def add_item(self, sku, qty=1):
        """Add an item; raises QuantityError on qty < 1."""
        if qty < 1:
            raise QuantityError("--error-on-warnings")
        self.items[sku] = self.items.get(sku, 0) + qty

    def totalPrice(self):
        return sum(self.price_of(s) * q for s, q in self.items.items())


class QuantityError(ValueError):
    pass
'''

_SERVER = """export class HTTPServer {
  parseURLFromHTML5(html: string): URL { return new URL(html); }
}
export const isEmpty = (s: string) => s === "" || s.length == 0;
"""

_NOTES = """# Don't panic

Use `cart::add` and C++ or C#, see 38.101; a-b@c.example. 购物车 is a cart; 🛒 too. the of and a to
"""

_TEST = """from src.cart import ShoppingCart


def test_add_item():
    cart = ShoppingCart()
    cart.add_item("x")
"""

_LIMITER = """class RateLimiter:
    def acquire(self):
        return self.wait_for_token()


class TokenBucket:
    def acquire(self):
        return self.refill()


def rate_limiter_from(config):
    return RateLimiter()
"""

SHOP = (
    FileSpec(
        path="src/cart.py",
        text=_CART,
        symbols=(
            SymbolSpec(name="ShoppingCart", kind="class", lines=(4, 12), signature="class ShoppingCart"),
            SymbolSpec(
                name="add_item",
                kind="method",
                qualified_name="ShoppingCart.add_item",
                lines=(5, 9),
                signature="def add_item(self, sku, qty=1)",
                doc="Add an item; raises QuantityError on qty < 1.",
            ),
            SymbolSpec(name="totalPrice", kind="method", qualified_name="ShoppingCart.totalPrice", lines=(11, 12)),
            SymbolSpec(name="QuantityError", kind="class", lines=(15, 16), visibility="private"),
        ),
    ),
    FileSpec(
        path="src/http_server.ts",
        text=_SERVER,
        language="typescript",
        symbols=(
            SymbolSpec(name="HTTPServer", kind="class", lines=(1, 3)),
            SymbolSpec(name="parseURLFromHTML5", kind="method", qualified_name="HTTPServer.parseURLFromHTML5", lines=(2, 2)),
            SymbolSpec(name="isEmpty", kind="function", lines=(4, 4)),
        ),
    ),
    FileSpec(path="docs/don't.md", text=_NOTES, language="markdown", roles=("docs", "non_code")),
    FileSpec(path="assets/logo.png", text="", language=None, status="skipped", reason="binary"),
    FileSpec(
        path="tests/test_cart.py",
        text=_TEST,
        roles=("test",),
        symbols=(SymbolSpec(name="test_add_item", lines=(4, 6), is_test=True),),
    ),
)

TOOLS = (
    FileSpec(
        path="limits/limiter.py",
        text=_LIMITER,
        symbols=(
            SymbolSpec(name="RateLimiter", kind="class", lines=(1, 3)),
            SymbolSpec(name="acquire", kind="method", qualified_name="RateLimiter.acquire", lines=(2, 3)),
            SymbolSpec(name="TokenBucket", kind="class", lines=(6, 8)),
            SymbolSpec(name="acquire", kind="method", qualified_name="TokenBucket.acquire", lines=(7, 8)),
            SymbolSpec(name="rate_limiter_from", lines=(11, 12)),
        ),
    ),
)


ADD_ITEM = Hit(
    rank=1,
    score=0.0,
    repo="shop",
    path="src/cart.py",
    start_line=5,
    end_line=9,
    name="add_item",
    qualified_name="ShoppingCart.add_item",
    kind="method",
    language="python",
    signature="def add_item(self, sku, qty=1)",
    key="shop:src/cart.py#ShoppingCart.add_item",
    matched_by=("name",),
    symbol=4,
    provenance=Provenance(snapshot="0" * 16, commit=None, evidence="symbol"),
)
"""The best row for `add item` in the shop, but for its score and where it comes from."""

EDGES = (
    EdgeSpec(src="ShoppingCart.add_item", dst="QuantityError", line=8),
    EdgeSpec(src="ShoppingCart", dst="ShoppingCart.add_item", kind="contains", confidence=1.0, line=5),
)


def build_shop(out: Path, **options: object) -> Path:
    """Write the store at `out` and return its snapshot folder."""
    return build_store(out, {"shop": SHOP, "tools": TOOLS}, commits={"shop": "c" * 40}, edges=EDGES, **options)  # type: ignore[arg-type]  # passed on
