"""Text to terms: the rules of SPEC.md, by value and as properties."""

from __future__ import annotations

import pytest
from codequarry.schemas.terms import (
    DATA_RUN,
    MAX_TERM_LENGTH,
    STOP_WORDS,
    joined_form,
    normalize,
    split_word,
    terms,
    word_terms,
    words,
)
from hypothesis import given
from hypothesis import strategies as st

IDENTIFIERS = st.from_regex(r"[A-Za-z_$][A-Za-z0-9_$]{0,30}", fullmatch=True)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("notify_one", ["notify", "one"]),
        ("notifyOne", ["notify", "one"]),
        ("HTTPServer", ["http", "server"]),
        ("XMLHttpRequest", ["xml", "http", "request"]),
        ("OAuth2Token", ["o", "auth", "2", "token"]),
        ("utf8_to_utf16", ["utf", "8", "to", "utf", "16"]),
        ("parseURLFromHTML5", ["parse", "url", "from", "html", "5"]),
        ("IPv4Address", ["ip", "v", "4", "address"]),
        ("x86_64", ["x", "86", "64"]),
        ("SCREAMING_CASE_9", ["screaming", "case", "9"]),
        ("__init__", ["init"]),
        ("$scope", ["scope"]),
        ("kMaxSize", ["k", "max", "size"]),
        ("ABTest", ["ab", "test"]),
        ("getX", ["get", "x"]),
        ("fooBAR", ["foo", "bar"]),
        ("größeÜber", ["größe", "über"]),
        ("naïveBayes", ["naïve", "bayes"]),
        ("ДваСлова", ["два", "слова"]),
        ("漢字変数", ["漢字", "字変", "変数"]),
        ("漢", ["漢"]),
        ("購物cart2", ["購物", "cart", "2"]),
        ("plain", ["plain"]),
        ("___", []),
        ("", []),
    ],
)
def test_split(word: str, parts: list[str]) -> None:
    assert list(split_word(word)) == parts


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("notify_one", ("notify", "one", "notifyone")),
        ("notifyOne", ("notify", "one", "notifyone")),
        ("notifyone", ("notifyone",)),
        ("_private", ("private",)),
        ("größeÜber", ("größe", "über", "grösseüber")),
        ("a" * MAX_TERM_LENGTH, ("a" * MAX_TERM_LENGTH,)),
        ("a" * (MAX_TERM_LENGTH + 1), ()),
        ("a" * 40 + "_" + "b" * 40, ("a" * 40, "b" * 40)),
        ("a" * 70 + "_b", ("b",)),
    ],
)
def test_parts_and_joined_form(word: str, found: tuple[str, ...]) -> None:
    assert word_terms(word) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ns::Type.method-x", ["ns", "type", "method", "x"]),
        ("ﬁle \uff33\uff45\uff54\uff23\uff41\uff52\uff54", ["file", "set", "cart", "setcart"]),
        ("e\u0301cole", ["école"]),
        ("½ cup", ["1", "2", "cup"]),
        ("🛒 \u202ecart", ["cart"]),
        ("\ud800", []),
    ],
)
def test_text(text: str, found: list[str]) -> None:
    assert terms(text) == found


@pytest.mark.parametrize(
    "data",
    [
        "925c614c89d0a26777a334612e2ed6ad0e7935c3",
        "a8430d7e581f9ca03c952df506ac66c757899d67a21d71c0f1900bd778ac1d14",
        "1PzT7kL6uXJ6wQ9a",
        "x" * DATA_RUN,
        "dGhlIHF1aWNr/" * 40,
        "data:image/png;base64," + "iVBORw0KGgo" * 30,
    ],
)
def test_encoded_data_is_no_words(data: str) -> None:
    assert terms(f"before {data} after") == ["before", "after"]


@pytest.mark.parametrize("word", ["aes_128_cbc_hmac_sha_256", "x86_64_unknown_linux_gnu_v3_2", "utf8_to_utf16_le_be_32"])
def test_names_with_many_parts_are_words(word: str) -> None:
    assert terms(word)[-1] == word.replace("_", "")


def test_long_text_without_blanks_in_other_scripts_is_not_data() -> None:
    assert len(terms("漢字" * DATA_RUN)) == 2 * DATA_RUN - 1
    assert terms("x" * (DATA_RUN - 1) + "é") == []
    assert terms("-" * DATA_RUN + " kept") == ["kept"]


def test_stop_words_are_terms() -> None:
    assert all(terms(word) == [word] for word in STOP_WORDS)


@given(IDENTIFIERS)
def test_snake_and_camel_meet(word: str) -> None:
    parts = split_word(word)
    if len(parts) > 1 and all(part.isalpha() for part in parts) and joined_form(word) is not None:
        assert word_terms("_".join(parts)) == word_terms(word)
        assert word_terms("".join(parts))[-1] == word_terms(word)[-1]


@given(st.text())
def test_terms_are_short_and_folded(text: str) -> None:
    for term in terms(text):
        assert 0 < len(term) <= MAX_TERM_LENGTH + 2  # lower case of a letter may be three
        assert not set(term) & set("_$ \n")


@given(st.text(max_size=100), st.text(max_size=100))
def test_texts_apart_do_not_touch(left: str, right: str) -> None:
    assert terms(f"{left} \n {right}") == terms(left) + terms(right)


@given(st.text())
def test_normal_form_is_final(text: str) -> None:
    assert words(normalize(normalize(text))) == words(normalize(text))
