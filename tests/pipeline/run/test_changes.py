"""What came and went, on states made by hand."""

from __future__ import annotations

from codequarry.pipeline.extract import Limits
from codequarry.pipeline.run.changes import Files, FileState, compare, source_states
from codequarry.pipeline.run.origins import Origin
from codequarry.pipeline.summary import Changes, SourceState
from hypothesis import given
from hypothesis import strategies as st

ONE, TWO = FileState("1", 1, None), FileState("2", 1, None)
UNREAD = FileState(None, 9, "too_large")
BEFORE: Files = {
    "same": {"a": ONE},
    "other": {"a": ONE, "b": TWO, "c": UNREAD},
    "held": {"a": ONE},
    "gone": {"a": ONE, "b": ONE},
}
NOW: Files = {
    "same": {"a": ONE},
    "other": {"a": TWO, "c": UNREAD._replace(size=10), "d": ONE},
    "held": {"a": ONE},
    "fresh": {"a": ONE},
}


def test_files_are_compared_by_repository_and_path() -> None:
    assert compare("id", BEFORE, NOW) == Changes(since="id", added=2, removed=3, changed=2)


files = st.dictionaries(st.sampled_from("ab"), st.dictionaries(st.sampled_from("xyz"), st.sampled_from([ONE, TWO, UNREAD])))


@given(before=files, now=files)
def test_going_back_swaps_what_came_and_went(before: Files, now: Files) -> None:
    there, back = compare("id", before, now), compare("id", now, before)
    assert (there.added, there.removed, there.changed) == (back.removed, back.added, back.changed)
    assert compare("id", now, now) == Changes(since="id", added=0, removed=0, changed=0)


def test_every_source_has_a_state() -> None:
    def origin(name: str, *, kept: bool = False) -> Origin:
        return Origin(
            name=name, commit="c", branch="b", dirty=False, entries=(), limits=Limits(), kept=kept, read=lambda _: iter(())
        )

    origins = [origin("same"), origin("other"), origin("held", kept=True), origin("fresh")]
    states = source_states(origins, NOW, BEFORE)
    assert [(s.repo, s.state) for s in states] == [
        ("fresh", "new"),
        ("gone", "removed"),
        ("held", "kept"),
        ("other", "updated"),
        ("same", "unchanged"),
    ]
    assert states[1] == SourceState(repo="gone", commit=None, branch=None, dirty=None, state="removed")
    assert (states[0].commit, states[0].branch, states[0].dirty) == ("c", "b", False)
