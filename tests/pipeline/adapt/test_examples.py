"""What a repository says of itself, as pairs and as counts of tokens."""

from __future__ import annotations

from collections import Counter

import numpy as np
from codequarry.pipeline.adapt.examples import Pair, TokenCounter, examples, pairs
from codequarry.pipeline.adapt.history import Subject
from codequarry.pipeline.assemble import assemble
from codequarry.pipeline.batch import facts_batch
from codequarry.pipeline.encoder import FOLDER
from codequarry.pipeline.facts import FileFacts
from codequarry.pipeline.shards import Shard, ShardFile
from codequarry.query.encoder import Encoder
from codequarry.schemas.terms import normalize, split_word, words

from ..made import file, symbol

CART = "def total(items):\n    return sum(price for price in items)\n"
FILES = {
    "shop/cart.py": file(
        CART,
        symbol(
            "total",
            0,
            len(CART),
            body_start=18,
            qualified_name="Cart.total",
            signature="def total(items)",
            doc="Adds up what all items cost. Never negative.",
        ),
        doc="The cart.",
    ),
    "shop/pic.png": file(None),
    "shop/tax.py": file("RATE = 7\n", symbol("RATE", 0, 8, kind="constant")),
}


def shard(files: dict[str, FileFacts]) -> Shard:
    known = [ShardFile(path=path, size=1, blob=None, vendored=False) for path in files]
    return assemble(known, [facts_batch(list(files.values()))])


BODY = "return sum(price for price in items)\n"
HISTORY = (
    Subject("count each item once", ("shop/cart.py", "shop/gone.py")),
    Subject("a picture of the shop", ("shop/pic.png",)),
)


def test_documentation_names_and_subjects() -> None:
    found = list(pairs([([shard(FILES)], HISTORY)]))
    sentence, name, subject = found
    assert sentence.query == "Adds up what all items cost"
    assert sentence.fields == ((1.5, "total"), (0.3, "Cart."), (0.7, "def total(items)"), (0.8, BODY))
    assert name == Pair("total", ((0.3, "Cart."), (1.0, "Adds up what all items cost. Never negative."), (0.8, BODY)), 1)
    assert name.about == sentence.about
    assert subject.query == "count each item once"
    docs = "The cart.\nAdds up what all items cost. Never negative."
    assert subject.fields == ((1.0, "shop/cart.py"), (1.0, CART), (1.0, docs), (1.0, "total"))
    assert subject.about not in (name.about, sentence.about)


def test_pairs_do_not_depend_on_the_cut_into_shards() -> None:
    one = list(pairs([([shard(FILES)], HISTORY)]))
    several = [shard({path: facts}) for path, facts in FILES.items()]
    assert list(pairs([(several, HISTORY)])) == one


def test_equal_paths_of_two_sources_are_two_files() -> None:
    both = list(pairs([([shard(FILES)], HISTORY), ([shard(FILES)], HISTORY)]))
    assert len({pair.about for pair in both if pair.query == "count each item once"}) == 2


def test_a_file_that_is_not_there_and_no_history_teach_nothing() -> None:
    assert [p.query for p in pairs([([shard(FILES)], (Subject("all gone", ("shop/gone.py",)),))])] == [
        "Adds up what all items cost",
        "total",
    ]


def test_counts_of_tokens() -> None:
    encoder = Encoder.load(FOLDER)
    texts = ["", "parseHTTPRequest parse", "größe 漢字 x86_64", "parse"]
    counts = TokenCounter(encoder).count(texts)
    assert counts.starts[0] == 0
    for number, text in enumerate(texts):
        parts = [part for word in words(normalize(text)) for part in split_word(word)]
        expected = Counter(token for ids in encoder.segment(parts) for token in ids)
        part = slice(counts.starts[number], counts.starts[number + 1])
        assert dict(zip(counts.tokens[part].tolist(), counts.numbers[part].tolist(), strict=True)) == expected
        assert counts.tokens[part].tolist() == sorted(expected)


def test_a_text_of_several_pairs_is_counted_once() -> None:
    data = examples(
        [Pair("read", ((1.0, "file"), (0.5, "line")), 4), Pair("file", ((2.0, "read"),), 9)],
        TokenCounter(Encoder.load(FOLDER)),
    )
    assert data.queries.tolist() == [1, 2]
    assert data.fields.tolist() == [[2, 3, 0, 0], [1, 0, 0, 0]]
    assert data.weights.tolist() == [[1.0, 0.5, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0]]
    assert data.about.tolist() == [4, 9]
    assert len(data.counts.starts) == 5
    assert np.diff(data.counts.starts)[0] == 0
