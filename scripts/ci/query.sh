#!/usr/bin/env bash
# Open a packed index that was downloaded, check it, and ask it one question.
#
#   scripts/ci/query.sh index.tar "where are orders written" [SHA256]
#
# The store is made in $STORE (index); a file whose sha256 is not the one given is refused before anything is unpacked.
set -euo pipefail

file=$1 question=$2 wanted=${3:-}
STORE=${STORE:-index}
if [ -n "$wanted" ]; then
    found=$(python3 -c 'import hashlib, sys; print(hashlib.file_digest(open(sys.argv[1], "rb"), "sha256").hexdigest())' "$file")
    if [ "$found" != "$wanted" ]; then
        echo "$file has the sha256 $found, not $wanted: download it again" >&2
        exit 4
    fi
fi
codequarry unpack "$file" --out "$STORE"
codequarry verify --index "$STORE"
codequarry search "$question" --index "$STORE"
