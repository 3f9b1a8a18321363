//! Ctrl-C. While iterating it asks the iteration to stop, so that the iterate so far can be written; otherwise, and the
//! second time, it ends the program at once. Files appear whole or not at all: see `atomic_write`.

use anyhow::Context;
use galerkit::linalg::io::discard_unfinished;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

static ITERATING: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);

/// The exit code of an interrupted program, 128 + SIGINT, as shells know it.
pub const EXIT_CODE: u8 = 130;

/// Listens from now on.
pub fn listen() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        let again = ASKED.swap(true, SeqCst);
        if again || !ITERATING.load(SeqCst) {
            discard_unfinished();
            std::process::exit(EXIT_CODE.into());
        }
    })
    .context("cannot listen for Ctrl-C")
}

/// Whether somebody has asked to stop.
pub fn asked() -> bool {
    ASKED.load(SeqCst)
}

/// Runs an iteration that watches [`asked`].
pub fn while_iterating<T>(job: impl FnOnce() -> T) -> T {
    ITERATING.store(true, SeqCst);
    let result = job();
    ITERATING.store(false, SeqCst);
    result
}
