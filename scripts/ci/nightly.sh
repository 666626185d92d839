#!/usr/bin/env bash
# One nightly run: index, verify, evaluate, compare, pack, keep N. Needs a shell and codequarry, whatever CI calls it.
#
#   SOURCES="services web" scripts/ci/nightly.sh          # or REPOS=repos.toml
#
# Set from outside, all but one of the first two may be left out:
#   SOURCES      folders or repositories to index, blank-separated         REPOS      a list of them, for --repos
#   STORE        the store, kept between runs         (artifacts)          CACHE      the cache, kept between runs (cache)
#   PACKED       the file to upload                   (index.tar)          KEEP       snapshots that stay in the store (7)
#   QUERIES      judged queries, for `evaluate queries`                    BASELINE   figures of an earlier run (evaluation.json)
#   SUMMARY      Markdown to append to                ($GITHUB_STEP_SUMMARY, else summary.md)
#   INDEX_OPTIONS   more options for `codequarry index`
#
# Exit codes are those of codequarry: 0 done, 3 done with files set aside (nothing is left undone for it), 75 stopped, run it again.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
STORE=${STORE:-artifacts} CACHE=${CACHE:-cache} PACKED=${PACKED:-index.tar} KEEP=${KEEP:-7} BASELINE=${BASELINE:-evaluation.json}
SUMMARY=${SUMMARY:-${GITHUB_STEP_SUMMARY:-summary.md}}
reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT

# Groups fold in the log of GitHub Actions, and are plain headings elsewhere.
group() { if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::group::$*"; else echo "== $*"; fi; }
endgroup() { if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::endgroup::"; fi; }

# report FILE COMMAND...: run a command whose answer is JSON, and keep it; its exit code is the function's.
report() {
    local file=$reports/$1 code=0
    shift
    "$@" > "$file" || code=$?
    return "$code"
}

summarize() { python3 "$here/summary.py" "$reports" --sha256 "${sha256:-}" --summary "$SUMMARY"; }

group "index"
before=""
if [ -e "$STORE/latest.json" ]; then
    before=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["snapshot"])' "$STORE/latest.json")
fi
code=0
# shellcheck disable=SC2086  # words of SOURCES and INDEX_OPTIONS are to be split
report index.json codequarry index ${SOURCES:-} ${REPOS:+--repos "$REPOS"} --out "$STORE" --cache "$CACHE" \
    --wait 600 ${INDEX_OPTIONS:-} --json || code=$?
endgroup
if [ "$code" -ne 0 ] && [ "$code" -ne 3 ]; then
    summarize
    exit "$code"
fi

group "verify"
codequarry verify --index "$STORE"
endgroup

if [ -n "${QUERIES:-}" ]; then
    group "evaluate"
    gate=0
    report evaluation.json codequarry evaluate queries "$QUERIES" --index "$STORE" --no-ablations --json \
        $([ -e "$BASELINE" ] && echo --gate "$BASELINE") || gate=$?
    endgroup
    if [ "$gate" -ne 0 ]; then
        summarize
        exit "$gate"
    fi
    cp "$reports/evaluation.json" "$BASELINE"
fi

if [ -n "$before" ] && [ -d "$STORE/snapshots/$before" ]; then
    group "compare with $before"
    report diff.json codequarry diff "$before" --index "$STORE" --json
    endgroup
fi

group "pack"
sha256=$(codequarry pack "$PACKED" --index "$STORE" --force | cut -d ' ' -f 1)
echo "$sha256  $PACKED"
endgroup

group "keep $KEEP snapshots"
codequarry gc --out "$STORE" --keep "$KEEP" --grace 1h --cache "$CACHE"
endgroup

summarize
exit "$code"
