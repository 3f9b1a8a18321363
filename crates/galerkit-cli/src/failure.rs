//! What is said when something goes wrong: `error: ...`, its causes, and a hint that names the fix. Exit code 2.

mod hint;

use hint::hint;
use std::io::{ErrorKind, Write};
use std::panic::PanicHookInfo;
use std::process::ExitCode;

const FAILED: u8 = 2;

/// Prints an error. A reader that has closed its end of the pipe is not one.
pub fn explain(error: &anyhow::Error) -> ExitCode {
    let broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|io| io.kind() == ErrorKind::BrokenPipe)
    };
    if error.chain().any(broken_pipe) {
        return ExitCode::SUCCESS;
    }
    let mut said: Vec<String> = Vec::new();
    for text in error.chain().map(|cause| cause.to_string()) {
        // Transparent wrappers and messages that already quote their source would repeat themselves.
        if !said.iter().any(|earlier| earlier.contains(&text)) {
            said.push(text);
        }
    }
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "error: {}", said.join("\n  cause: "));
    if let Some(hint) = error.chain().find_map(hint) {
        let _ = writeln!(err, "  hint: {hint}");
    }
    ExitCode::from(FAILED)
}

/// A panic is a defect of this program: say so in one sentence, without a backtrace.
pub fn explain_panic(info: &PanicHookInfo<'_>) {
    let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
    let payload = info.payload();
    let literal = payload.downcast_ref::<&str>().copied();
    let text = literal.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    let _ = writeln!(std::io::stderr(), "error: internal error{place}: {text}\n  hint: please report this");
    std::process::exit(FAILED.into());
}
