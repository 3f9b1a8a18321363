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
several tests at once:   JOBS=8 bundle/run.sh                their output comes in the usual order
the benchmarks:          bundle/bench.sh [GROUP...]          a file for each group; without a name it lists them
what a first solve costs: bundle/first-run.sh                 a table of methods: empty cache, warm, another size, with the pack
Back here:               cargo xtask gpu collect DIR NAME    DIR is what it wrote, NAME is the machine's
";

/// Writes the script.
pub fn write(bundle: &Path) -> Result<()> {
    let scripts = [
        ("run.sh", include_str!("run.sh")),
        ("first-run.sh", include_str!("first-run.sh")),
        ("bench.sh", include_str!("bench.sh")),
    ];
    for (name, text) in scripts {
        let path = bundle.join(name);
        fs::write(&path, text)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}
