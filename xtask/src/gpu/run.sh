#!/bin/bash
# Made by `cargo xtask gpu`; runs on a GPU machine without Rust. Everything goes to $OUT as plain text.
#   SANITIZE=1  also compute-sanitizer on conformance::, or on the tests that it names
#   LIMIT=N     seconds that a program of a dozen tests may take (300)
#   TESTS=GLOB  only these subjects (*)
#   JOBS=N      so many programs at once (1); they are written as they end
#   IGNORED=1   also the tests that need much memory or time, one after another
here=$(cd "$(dirname "$0")" && pwd)
[ -x "$here/galerkit" ] || (cd "$here" && python3 -m tarfile -e programs.txz) || exit 1
export OUT=${OUT:-$here/results} LIMIT=${LIMIT:-300}
export GALERKIT_DATA="${GALERKIT_DATA:-$here/data}" GALERKIT_DEGREES="${GALERKIT_DEGREES:-1 2 3 4 5 6 7 8 9 10}"
PATH=$PATH:/usr/local/cuda/bin
mkdir -p "$OUT"
work=$(mktemp -d) WHICH=
trap 'rm -rf "$work"' EXIT

# name, file, command...: runs it, adds its output to the file, says in one line what came of it.
keep() {
    local name=$1 file=$OUT/$2 part
    shift 2
    part=$(mktemp "$work/part.XXXXXX")
    timeout "$LIMIT" "$@" >"$part" 2>&1
    local code=$?
    local skipped=$(grep -c 'skipped: ' "$part")
    local summary=$(sed -n 's/^test result: \(.*\); [0-9]* ignored.*/, \1/p' "$part" | tail -n 1)
    [ "$code" = 0 ] || echo "$name" >>"$work/failed"
    grep 'skipped: ' "$part" >>"$work/skipped"
    # The test harness counts what skipped itself as passed; this line must not.
    [ "$skipped" = 0 ] || summary="$summary, OF WHICH $skipped SKIPPED: $(sed -n 's/.*skipped: //p' "$part" | head -n 1)"
    flock "$work" sh -c 'file=$1 part=$2 code=$3 && shift 3 && { echo "\$ $*"; cat "$part"; echo "exit code $code"; } >>"$file"' \
        - "$file" "$part" "$code" "$@"
    echo "$name: exit code $code$summary"
}

# subject, program, tests it has: runs them by the dozen, JOBS programs at once.
try() {
    local subject=$1 program=$2 tests
    case $subject in ${TESTS:-*}) ;; *) return ;; esac
    while read -r -a tests; do
        while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-1}" ]; do wait -n; done
        keep "$subject" tests.txt "$program" --test-threads=1 $WHICH --exact "${tests[@]}" &
    done < <(sed -n 's/: test$//p' | xargs -n 12)
}

rm -f "$OUT"/command.txt "$OUT"/doctor.txt "$OUT"/tests.txt "$OUT"/sanitizer.txt
{
    echo "command: ${SANITIZE:+SANITIZE=$SANITIZE }${TESTS:+TESTS='$TESTS' }${JOBS:+JOBS=$JOBS }${IGNORED:+IGNORED=$IGNORED }bundle/run.sh"
    echo "commit: $(cat "$here/commit.txt")"
    echo "date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm,clocks.max.mem --format=csv 2>&1
} >"$OUT/command.txt"

keep doctor doctor.txt "$here/galerkit" doctor
# Subjects are the modules of the program that has all tests of the CUDA engine, and programs with a name of their own.
tests=$here/tests
"$tests/all" --list >"$work/all"
for module in $(sed -n 's/::.*: test$//p' "$work/all" | sort -u); do
    try "$module" "$tests/all" < <(grep "^$module::" "$work/all")
done
of_elements=(matrix_free device multigrid evolution_runs cardiac::halving cardiac::assembly cardiac::looks)
try elements "$tests/elements" < <("$tests/elements" --list "${of_elements[@]}")
for name in facade galerkit_cuda cusparse; do
    try "$name" "$tests/$name" < <("$tests/$name" --list)
done
wait

if [ "${IGNORED:-0}" != 0 ]; then
    JOBS=1 WHICH=--ignored
    for name in all facade elements; do
        try "$name, ignored" "$tests/$name" < <("$tests/$name" --list --ignored)
    done
    wait
fi
[ "${SANITIZE:-0}" != 1 ] || SANITIZE=conformance::
if [ "${SANITIZE:-0}" != 0 ]; then
    for tool in memcheck racecheck initcheck; do
        keep "$tool $SANITIZE" sanitizer.txt compute-sanitizer --tool "$tool" --error-exitcode 9 "$tests/all" --test-threads=1 "$SANITIZE"
    done
fi

skips=$(cat "$work/skipped" 2>/dev/null | wc -l)
if [ -s "$work/failed" ]; then
    echo "SOMETHING FAILED ($(sort -u "$work/failed" | paste -sd ' ')), $skips skipped: see $OUT"
    exit 1
fi
echo "nothing failed, $skips skipped: $OUT"
