//! What is said when something goes wrong: `error: ...`, its causes, and a hint that names the fix. Exit code 2.

mod hint;

use crate::args::Command;
use hint::hint;
use std::io::{ErrorKind, Write};
use std::panic::PanicHookInfo;
use std::process::ExitCode;

const FAILED: u8 = 2;

/// What a command has in place of a mesh file, for those who name one that is not there.
pub fn built_in(command: &Command) -> &'static str {
    match command {
        Command::Mesh(_) => "; built-in meshes are named gallery:NAME, for example gallery:ball?n=4",
        Command::Poisson(_) => "; --domain has built-in domains",
        _ => "",
    }
}

/// Prints an error of a command that has this in place of a mesh file. A reader that has closed its end of the pipe is
/// no error.
pub fn explain(error: &anyhow::Error, built_in: &str) -> ExitCode {
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
    if let Some(hint) = error.chain().find_map(|cause| hint(cause, built_in)) {
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
