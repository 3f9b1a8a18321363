//! Ctrl-C (and SIGTERM). An iteration under way is asked to stop, so that the iterate so far can be written; anything
//! else, an iteration that does not listen, and a second signal end the program at once. Files appear whole or not at
//! all: see `atomic_write`.

use anyhow::Context;
use galerkit::linalg::io::discard_unfinished;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

static ITERATING: AtomicBool = AtomicBool::new(false);
static LOOPING: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);

/// The exit code of an interrupted program, 128 + SIGINT, as shells know it.
pub const EXIT_CODE: u8 = 130;
/// How long an iteration may take to notice.
const GRACE: Duration = Duration::from_secs(10);
/// How long a loop around iterations may take: what stands between them, meshes and matrices, does not listen.
const LONG_GRACE: Duration = Duration::from_secs(60);

/// Listens from now on.
pub fn listen() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if ASKED.swap(true, SeqCst) {
            leave();
        }
        if !listens() {
            say("interrupted: nothing more is written");
            leave();
        }
        say("stopping after this iteration, or after the stage of set-up: what there is by then is kept; again: at once");
        std::thread::spawn(leave_unless_it_stops); // the handler itself must be free for the second signal
    })
    .context("cannot listen for Ctrl-C")
}

/// Whether the iteration should go on; called after each, and so the sign that one is under way.
pub fn goes_on() -> bool {
    ITERATING.store(true, SeqCst);
    !ASKED.load(SeqCst)
}

/// Whether somebody has asked to stop.
pub fn was_asked() -> bool {
    ASKED.load(SeqCst)
}

/// No iteration is under way any more.
pub fn iteration_is_over() {
    ITERATING.store(false, SeqCst);
}

/// A loop around iterations, which has something to show whenever it is stopped; until it is dropped.
pub struct Looping(());

impl Looping {
    /// Begins.
    pub fn begin() -> Self {
        LOOPING.store(true, SeqCst);
        Self(())
    }
}

impl Drop for Looping {
    fn drop(&mut self) {
        LOOPING.store(false, SeqCst);
    }
}

fn listens() -> bool {
    ITERATING.load(SeqCst) || LOOPING.load(SeqCst)
}

fn leave_unless_it_stops() {
    let asked_at = Instant::now();
    while listens() {
        if asked_at.elapsed() > if LOOPING.load(SeqCst) { LONG_GRACE } else { GRACE } {
            leave();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A line of its own, below whatever a progress bar has drawn.
fn say(sentence: &str) {
    let _ = writeln!(std::io::stderr(), "\n{sentence}");
}

fn leave() -> ! {
    discard_unfinished();
    std::process::exit(EXIT_CODE.into());
}
