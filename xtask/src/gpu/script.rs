//! bundle/run.sh, as it is written into every bundle.

use anyhow::Result;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What to do with a bundle.
pub const HOW_TO: &str = "\
On the GPU machine:      bundle/run.sh                       doctor and tests; everything is written to bundle/results (or $OUT)
with the sanitizer:      SANITIZE=1 bundle/run.sh            memcheck, racecheck and initcheck on the conformance tests
                         SANITIZE=krylov::a_ bundle/run.sh   the same on the tests whose names have this in them
with the benchmarks:     BENCH=1 bundle/run.sh
what a first solve costs: bundle/first-run.sh                 a table of methods: empty cache, warm, another size, with the pack
Back here:               cargo xtask gpu collect DIR NAME    DIR is what it wrote, NAME is the machine's
";

/// The benchmarks of `BENCH=1`: arguments of `galerkit`, one command a line.
const BENCHES: &str = "\
bench spmv --device cuda gallery:poisson3d?n=128&stencil=27 gallery:poisson3d?n=200&stencil=27 gallery:tetra?n=128
bench cg --device cuda gallery:poisson3d?n=32&stencil=27 gallery:poisson3d?n=64&stencil=27 gallery:poisson3d?n=128&stencil=27 \
gallery:poisson3d?n=200&stencil=27 gallery:poisson3d?n=256&stencil=27
bench reorder --device cuda gallery:tetra?n=100
";

const SCRIPT: &str = r#"#!/bin/sh
# Made by `cargo xtask gpu`; runs on a GPU machine without Rust. Everything goes to $OUT as plain text.
#   SANITIZE=1  also compute-sanitizer on conformance::, or on the tests that it names     BENCH=1  also the benchmarks
#   LIMIT=N     seconds that one subject may take (300)                     TESTS=GLOB  only these subjects (*)
here=$(cd "$(dirname "$0")" && pwd)
[ -x "$here/galerkit" ] || tar -xzf "$here/programs.tgz" -C "$here" || exit 1
OUT=${OUT:-$here/results}
LIMIT=${LIMIT:-300}
export GALERKIT_DATA="${GALERKIT_DATA:-$here/data}"
PATH=$PATH:/usr/local/cuda/bin
mkdir -p "$OUT"
failed=0 skips=0

# name, file, command...: runs it, keeps its output in the file, says in one line what came of it.
keep() {
    name=$1 file=$OUT/$2
    shift 2
    echo "\$ $*" >>"$file"
    timeout "$LIMIT" "$@" >"$OUT/.part" 2>&1
    code=$?
    cat "$OUT/.part" >>"$file"
    echo "exit code $code" >>"$file"
    skipped=$(grep -c 'skipped: ' "$OUT/.part")
    summary=$(sed -n 's/^test result: \(.*\); [0-9]* ignored.*/, \1/p' "$OUT/.part" | tail -n 1)
    skips=$((skips + skipped))
    [ "$code" = 0 ] || failed=1
    # The test harness counts what skipped itself as passed; this line must not.
    [ "$skipped" = 0 ] || summary="$summary, OF WHICH $skipped SKIPPED: $(sed -n 's/.*skipped: //p' "$OUT/.part" | head -n 1)"
    echo "$name: exit code $code$summary"
    rm -f "$OUT/.part"
}

rm -f "$OUT"/command.txt "$OUT"/doctor.txt "$OUT"/tests.txt "$OUT"/sanitizer.txt "$OUT"/bench.txt
{
    echo "command: ${SANITIZE:+SANITIZE=$SANITIZE }${BENCH:+BENCH=$BENCH }${TESTS:+TESTS='$TESTS' }bundle/run.sh"
    echo "commit: $(cat "$here/commit.txt")"
    echo "date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm,clocks.max.mem --format=csv 2>&1
} >"$OUT/command.txt"

keep doctor doctor.txt "$here/galerkit" doctor
# Subjects are the modules of the program that has all tests; "units" are the tests inside the library; "cusparse" and "elements" have programs of their own.
for subject in units cusparse elements $("$here/tests/all" --list | sed -n 's/::.*: test$//p' | sort -u); do
    case $subject in
    ${TESTS:-*}) ;;
    *) continue ;;
    esac
    case $subject in
    units) keep units tests.txt "$here/tests/galerkit_cuda" --test-threads=1 ;;
    cusparse) keep cusparse tests.txt "$here/tests/cusparse" --test-threads=1 ;;
    elements) keep elements tests.txt "$here/tests/elements" --test-threads=1 matrix_free device multigrid evolution_runs cardiac::halving cardiac::assembly cardiac::looks ;;
    *) keep "$subject" tests.txt "$here/tests/all" --test-threads=1 "$subject::" ;;
    esac
done

[ "${SANITIZE:-0}" != 1 ] || SANITIZE=conformance::
if [ "${SANITIZE:-0}" != 0 ]; then
    for tool in memcheck racecheck initcheck; do
        keep "$tool $SANITIZE" sanitizer.txt compute-sanitizer --tool "$tool" --error-exitcode 9 "$here/tests/all" --test-threads=1 "$SANITIZE"
    done
fi

if [ "${BENCH:-0}" = 1 ]; then
    while read -r arguments; do
        # Words are separated by blanks; matrices have ? and &, which set -f leaves alone.
        set -f
        keep "${arguments%% --*}" bench.txt "$here/galerkit" $arguments
        set +f
    done <<'BENCHES'
@BENCHES@BENCHES
fi

[ "$failed" = 0 ] && echo "nothing failed, $skips skipped: $OUT" || echo "SOMETHING FAILED, $skips skipped: see $OUT"
exit "$failed"
"#;

/// Writes the script.
pub fn write(bundle: &Path) -> Result<()> {
    let all = SCRIPT.replace("@BENCHES@", BENCHES);
    for (name, text) in [("run.sh", &all[..]), ("first-run.sh", include_str!("first-run.sh"))] {
        let path = bundle.join(name);
        fs::write(&path, text)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}
