//! Help that can be believed: every example is run.

use super::Folder;

const COMMANDS: [&str; 30] = [
    "",
    "solve",
    "poisson",
    "tumour",
    "heart",
    "heart cv",
    "heart restitution",
    "heart watched",
    "heart window",
    "helmholtz",
    "elasticity",
    "info",
    "convert",
    "mesh info",
    "mesh check",
    "mesh convert",
    "reproduce vpgcr",
    "reproduce dhc",
    "reproduce heart",
    "reproduce hpfem",
    "reproduce alinea",
    "bench spmv",
    "bench cg",
    "bench krylov",
    "bench triangular",
    "bench reorder",
    "bench ordering",
    "doctor",
    "gallery",
    "completions",
];

/// The command lines among the examples, without the remarks that follow two blanks.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| !line.starts_with("Examples:")).skip(1);
    let indented = lines.take_while(|line| line.starts_with("  "));
    indented.map(|line| line.trim().split("  ").next().unwrap().to_string()).collect()
}

/// Three tests, so that threads share them.
#[test]
fn every_example_of_the_first_commands_runs() {
    run_examples(&COMMANDS[..4]);
}

#[test]
fn every_example_of_waves_and_bodies_runs() {
    run_examples(&COMMANDS[4..11]);
}

#[test]
fn every_example_of_the_other_commands_runs() {
    run_examples(&COMMANDS[11..]);
}

fn run_examples(commands: &[&str]) {
    for command in commands {
        let folder = Folder::new();
        let help = folder.run(&format!("{command} --help")).exits(0).stdout;
        let lines = examples(&help);
        assert!(lines.len() >= 2, "{command} has examples: {help}");
        for line in lines {
            assert!(line.contains("galerkit "), "{line}");
            let ran = folder.shell(&line);
            assert_eq!(ran.code, 0, "{line}\n{}", ran.stderr);
            let is_idle = ran.stderr.contains("nothing drives") || ran.stdout.contains(", 0 iterations");
            assert!(*command != "helmholtz" || !is_idle, "{line} solves for nothing\n{}{}", ran.stdout, ran.stderr);
        }
    }
}

#[test]
fn every_command_says_how_it_is_used() {
    let folder = Folder::new();
    for command in COMMANDS {
        let long = folder.run(&format!("{command} --help")).exits(0).stdout;
        let short = folder.run(&format!("{command} -h")).exits(0).stdout;
        assert!(long.contains("Usage: galerkit") && short.contains("Usage: galerkit"));
    }
    assert!(folder.run("--version").exits(0).stdout.starts_with("galerkit "));
    let bare = folder.run("");
    assert_eq!(bare.code, 2);
    assert!(bare.stderr.contains("Usage"));
}

/// What stands below a heading of `-h`, up to the next one.
fn below<'a>(help: &'a str, heading: &str) -> &'a str {
    let (_, rest) = help.split_once(&format!("\n{heading}:\n")).unwrap_or_else(|| panic!("no {heading} in: {help}"));
    rest.split("\n\n").next().unwrap()
}

#[test]
fn common_options_come_first_and_the_rest_under_headings() {
    let folder = Folder::new();
    for help in ["solve -h", "solve --help"].map(|arguments| folder.run(arguments).exits(0).stdout) {
        let places: Vec<usize> = ["\nOptions:", "\nMethod:", "\nPrecision:", "\nDevice and tuning:"]
            .into_iter()
            .chain(["\nStorage and ordering:", "\nOutput:", "\nExamples:"])
            .map(|heading| help.find(heading).unwrap_or_else(|| panic!("no {heading} in: {help}")))
            .collect();
        assert!(places.is_sorted(), "{help}");
        let common: Vec<Option<usize>> =
            ["--rhs", "--method", "--precond", "--device", "--rtol", "--output"].map(|it| help.find(it)).to_vec();
        assert!(common.is_sorted() && common.last().unwrap().unwrap() < places[1], "{help}");
    }
    let short = folder.run("solve -h").exits(0).stdout;
    assert!(below(&short, "Storage and ordering").contains("--format"));
    assert!(below(&short, "Device and tuning").contains("--autotuning"));
    assert!(below(&short, "Output").contains("--json"));
}

#[test]
fn short_help_is_short_and_its_examples_are_among_the_long() {
    let folder = Folder::new();
    for command in COMMANDS {
        let short = folder.run(&format!("{command} -h")).exits(0).stdout;
        let long = folder.run(&format!("{command} --help")).exits(0).stdout;
        assert!(short.lines().count() <= 70, "{command}: {short}");
        let all = examples(&long);
        assert!(examples(&short).iter().all(|line| all.contains(line)), "{command}: {short}");
    }
    let count = |help: &str| folder.run(help).exits(0).stdout.lines().count();
    assert!(2 * count("solve -h") < count("solve --help"));
}

#[test]
fn help_names_every_method_and_has_an_example_of_it() {
    let help = Folder::new().run("solve --help").exits(0).stdout;
    let methods =
        ["cg", "fcg", "pipecg", "minres", "bicgstab", "idr", "gcr", "orthodir", "gmres", "cbgmres", "fgmres", "vpgcr"];
    for method in methods.into_iter().chain(["lu", "cholesky", "dense"]) {
        assert!(help.contains(&format!("\n            {method}")), "{method} is explained: {help}");
        assert!(help.contains(&format!("--method {method}")), "{method} has an example");
    }
}

#[test]
fn completions_know_the_commands() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.run(&format!("completions {shell}")).exits(0).stdout;
        assert!(script.contains("convert") && script.contains("precond"), "{shell}");
    }
}

#[test]
fn the_gallery_names_what_can_be_solved() {
    let list = Folder::new().run("gallery").exits(0).stdout;
    for name in ["gallery:poisson3d", "gallery:williams", "stencil=27", "gallery:toeplitz"] {
        assert!(list.contains(name), "{name}");
    }
}
