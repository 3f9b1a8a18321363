//! Everything a user can get wrong: a sentence that names the fix, exit code 2, no panic.

use super::{Folder, Ran};

const BANNER: &str = "%%MatrixMarket matrix coordinate real general\n";

#[test]
fn a_missing_file_is_named_and_a_near_miss_suggested() {
    let folder = Folder::new();
    folder.run("solve nowhere.mtx").fails_saying(&["nowhere.mtx", "No such file", "hint: "]);
    folder.matrix("matrix.mtx", 1, 1, &[(1, 1, 2.0)]);
    folder.run("solve matrx.mtx").fails_saying(&["hint: did you mean 'matrix.mtx'?"]);
    folder.run("info nofolder/a.mtx").fails_saying(&["the folder nofolder does not exist"]);
}

#[test]
fn a_directory_is_not_a_matrix() {
    Folder::new().run("solve .").fails_saying(&["directory", "hint: name a .mtx"]);
}

#[test]
fn a_truncated_gzip_is_damaged() {
    let folder = Folder::new();
    folder.run("convert gallery:poisson2d?n=20 A.mtx.gz").exits(0);
    let bytes = std::fs::read(folder.path().join("A.mtx.gz")).unwrap();
    std::fs::write(folder.path().join("cut.mtx.gz"), &bytes[..bytes.len() / 2]).unwrap();
    folder.run("solve cut.mtx.gz").fails_saying(&["cut.mtx.gz"]);
    folder.run("info cut.mtx.gz").fails_saying(&["cut.mtx.gz"]);
}

#[test]
fn a_wrong_header_is_shown_with_its_line() {
    let folder = Folder::new();
    folder.file("a.mtx", "%%MatrixMarket tensor coordinate real general\n1 1 1\n1 1 1\n");
    folder.run("solve a.mtx").fails_saying(&["a.mtx:1: expected", "found"]);
    folder.file("b.mtx", "hello\n");
    folder.run("solve b.mtx").fails_saying(&["b.mtx:1: expected"]);
    folder.file("c.mtx", "");
    folder.run("solve c.mtx").fails_saying(&["c.mtx"]);
}

#[test]
fn counts_that_do_not_match_are_told() {
    let folder = Folder::new();
    folder.file("few.mtx", &format!("{BANNER}2 2 3\n1 1 1\n2 2 1\n"));
    folder.run("solve few.mtx").fails_saying(&["few.mtx", "expected"]);
    folder.file("many.mtx", &format!("{BANNER}2 2 1\n1 1 1\n2 2 1\n"));
    folder.run("solve many.mtx").fails_saying(&["many.mtx:4: expected"]);
}

#[test]
fn indices_are_between_one_and_the_size() {
    let folder = Folder::new();
    folder.file("zero.mtx", &format!("{BANNER}2 2 2\n1 1 1\n0 2 1\n"));
    folder.run("solve zero.mtx").fails_saying(&["zero.mtx:4: expected"]);
    folder.file("out.mtx", &format!("{BANNER}2 2 2\n1 1 1\n2 3 1\n"));
    folder.run("solve out.mtx").fails_saying(&["out.mtx:4: expected"]);
}

#[test]
fn numbers_that_are_none_are_refused_with_their_place() {
    let folder = Folder::new();
    folder.file("nan.mtx", &format!("{BANNER}2 2 2\n1 1 1\n2 2 nan\n"));
    folder.run("solve nan.mtx").fails_saying(&["NaN", "row 2, column 2"]);
    folder.file("inf.mtx", &format!("{BANNER}2 2 2\n1 1 inf\n2 2 1\n"));
    folder.run("solve inf.mtx --method lu").fails_saying(&["inf", "row 1, column 1"]);
    folder.matrix("good.mtx", 2, 2, &[(1, 1, 1.0), (2, 2, 1.0)]);
    folder.file("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\nnan\n");
    folder.run("solve good.mtx --rhs b.mtx").fails_saying(&["right-hand side", "NaN", "row 2"]);
}

#[test]
fn only_square_matrices_are_solved() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 2, 3, &[(1, 1, 1.0), (2, 2, 1.0)]);
    folder.run("solve a.mtx").fails_saying(&["2 x 3", "square"]);
}

#[test]
fn right_hand_sides_must_fit() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 2, 2, &[(1, 1, 1.0), (2, 2, 1.0)]);
    folder.file("long.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n");
    folder.run("solve a.mtx --rhs long.mtx").fails_saying(&["right-hand side", "length 3", "2 is needed"]);
    folder.file("complex.mtx", "%%MatrixMarket matrix array complex general\n2 1\n1 0\n2 1\n");
    folder.run("solve a.mtx --rhs complex.mtx").fails_saying(&["right-hand side is complex", "the matrix is real"]);
    folder.run("solve a.mtx --rhs missing.mtx").fails_saying(&["right-hand side", "missing.mtx", "No such file"]);
}

#[test]
fn a_zero_diagonal_stops_jacobi_and_ssor() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 3, 3, &[(1, 1, 2.0), (2, 3, 1.0), (3, 2, 1.0), (3, 3, 2.0)]);
    for precond in ["jacobi", "ssor:1.2"] {
        let arguments = format!("solve a.mtx --method minres --precond {precond}");
        folder.run(&arguments).fails_saying(&["row 2", "diagonal", "--precond none"]);
    }
    let left_to_us = folder.run("solve a.mtx --method minres --json -").exits(0).report();
    assert_eq!((&left_to_us["preconditioner"], &left_to_us["converged"]), (&"none".into(), &true.into()));
    folder.matrix("negative.mtx", 2, 2, &[(1, 1, 2.0), (2, 2, -1.0)]);
    let named = folder.run("solve negative.mtx --method minres --precond jacobi");
    named.fails_saying(&["row 2", "-1", "hint: choose --precond none"]);
}

#[test]
fn omega_lies_strictly_between_zero_and_two() {
    let folder = Folder::new();
    for omega in ["0", "2", "-1", "2.5", "nan", "fast"] {
        let arguments = format!("solve gallery:poisson1d?n=5 --precond ssor:{omega}");
        folder.run(&arguments).fails_saying(&["omega"]);
    }
}

#[test]
fn an_indefinite_matrix_is_not_solved_by_conjugate_gradients() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 2, 2, &[(1, 1, 1.0), (1, 2, 2.0), (2, 1, 2.0), (2, 2, 1.0)]);
    folder.file("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n-2\n");
    let ran = folder.run("solve a.mtx --rhs b.mtx --method cg --precond none --json -").exits(1);
    assert_eq!(ran.report()["outcome"], "not_positive_definite");
    assert_eq!(ran.report()["converged"], false);
    assert!(ran.report()["advice"].as_str().unwrap().contains("positive definite"));
    folder.run("solve a.mtx --method cholesky").fails_saying(&["not positive definite"]);
    let automatic = folder.run("solve a.mtx --rhs b.mtx --json -").exits(0);
    assert_eq!(automatic.report()["method"], "lu");
    assert!(automatic.stderr.contains("method lu: cholesky was first"), "{}", automatic.stderr);
    assert!(automatic.stderr.contains("the matrix is not positive definite"), "{}", automatic.stderr);
}

#[test]
fn methods_refuse_what_is_visibly_not_theirs_and_name_one_that_would_do() {
    let folder = Folder::new();
    folder.matrix("general.mtx", 2, 2, &[(1, 1, 2.0), (1, 2, 1.0), (2, 2, 2.0)]);
    folder.matrix("negative.mtx", 2, 2, &[(1, 1, 2.0), (2, 2, -1.0)]);
    let complex = "%%MatrixMarket matrix coordinate complex symmetric\n2 2 3\n1 1 2 0\n2 1 0 1\n2 2 2 0\n";
    folder.file("complex.mtx", complex);
    for method in ["cg", "fcg", "pipecg", "minres"] {
        let words = ["not symmetric", method, "gmres, bicgstab or lu"];
        folder.run(&format!("solve general.mtx --method {method}")).fails_saying(&words);
        let words = ["not Hermitian", method, "gmres, bicgstab or lu"];
        folder.run(&format!("solve complex.mtx --method {method}")).fails_saying(&words);
    }
    for method in ["cg", "fcg", "pipecg"] {
        let words = ["row 2", "-1", "not positive definite", method, "minres, gmres or lu"];
        folder.run(&format!("solve negative.mtx --method {method} --precond none")).fails_saying(&words);
    }
    for (name, method) in [("general", "gmres"), ("complex", "gmres"), ("negative", "minres")] {
        folder.run(&format!("solve {name}.mtx --method {method}")).exits(0);
    }
}

#[test]
fn cholesky_refuses_a_matrix_that_is_not_symmetric() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 2, 2, &[(1, 1, 2.0), (1, 2, 1.0), (2, 2, 2.0)]);
    folder.run("solve a.mtx --method cholesky").fails_saying(&["not symmetric", "lu"]);
}

#[test]
fn an_empty_matrix_has_nothing_to_solve() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 0, 0, &[]);
    folder.run("solve a.mtx").fails_saying(&["0 x 0", "nothing to solve"]);
    folder.run("info a.mtx").exits(0);
}

#[test]
fn empty_rows_make_a_matrix_singular() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 3, 3, &[(1, 1, 1.0), (3, 3, 1.0)]);
    for method in ["auto", "lu", "cholesky", "dense"] {
        folder.run(&format!("solve a.mtx --method {method}")).fails_saying(&["row 2", "no entries", "singular"]);
    }
    folder.run("solve a.mtx --method cg").fails_saying(&["row 2", "diagonal"]);
    assert!(folder.run("info a.mtx").exits(0).stdout.contains("empty rows"));
}

#[test]
fn a_singular_matrix_is_refused_by_elimination() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 2, 2, &[(1, 1, 1.0), (1, 2, 2.0), (2, 1, 2.0), (2, 2, 4.0)]);
    folder.run("solve a.mtx --method dense").fails_saying(&["singular"]);
    folder.run("solve a.mtx --method lu").fails_saying(&["singular"]);
}

#[test]
fn options_of_iterations_are_refused_beside_elimination() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 1, 1, &[(1, 1, 1.0)]);
    let ran = folder.run("solve a.mtx --method lu --precond ilu0 --max-iterations 5");
    ran.fails_saying(&["--precond, --max-iterations", "lu eliminates", "leave them out"]);
    folder.run("solve a.mtx --method gmres --precond inner:cg").fails_saying(&["choose the method fgmres:30 or vpgcr"]);
}

#[test]
fn an_empty_name_is_no_file() {
    let output = Folder::new().command().args(["solve", ""]).output().unwrap();
    Ran::new("solve ''", output).fails_saying(&["name of the matrix is empty"]);
}

#[test]
fn numbers_of_extreme_size_are_shown_with_an_exponent() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 2, 2, &[(1, 1, 1.0), (2, 2, -1e-200)]);
    folder.run("solve a.mtx --method cg").fails_saying(&["diagonal entry -1e-200,"]);
}

#[test]
fn duplicates_are_summed_and_said_so() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 1, 1, &[(1, 1, 1.0), (1, 1, 3.0)]);
    let ran = folder.run("solve a.mtx -o x.mtx").exits(0);
    assert!(ran.stderr.contains("1 duplicate entry was summed"), "{}", ran.stderr);
    assert_eq!(folder.vector("x.mtx"), [0.25]);
}

#[test]
fn paths_that_cannot_be_written_are_found_out_before_the_work() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 1, 1, &[(1, 1, 1.0)]);
    for option in ["-o", "--history", "--plot", "--json"] {
        folder.run(&format!("solve a.mtx {option} nofolder/x")).fails_saying(&["nofolder/x", "does not exist"]);
        folder.run(&format!("solve a.mtx {option} a.mtx/x")).fails_saying(&["a.mtx/x"]);
        folder.run(&format!("solve a.mtx {option} .")).fails_saying(&["cannot write", "folder"]);
    }
    folder.run("solve a.mtx --results a.mtx/r").fails_saying(&["a.mtx/r"]);
    folder.run("convert a.mtx nofolder/b.mtx").fails_saying(&["cannot write nofolder/b.mtx", "does not exist"]);
    assert_eq!(folder.names(), ["a.mtx"]);
}

#[test]
fn wrong_names_are_answered_with_the_right_ones() {
    let folder = Folder::new();
    let problem = "solve gallery:poisson1d?n=5";
    for (option, words) in [
        ("--method multigrid", ["multigrid", "auto, cg, fcg, pipecg, minres, bicgstab, idr:S, gcr:M"]),
        ("--method gmrs:30", ["gmrs:30", "did you mean 'gmres'?"]),
        ("--method gmres:0", ["restart = 0", "1 to 200"]),
        ("--method gcr:many", ["restart = many", "1 to 200"]),
        ("--method idr:201", ["s = 201", "1 to 200"]),
        ("--method cg:5", ["cg:5", "known are auto"]),
        ("--method chol", ["chol", "cholesky"]),
        ("--precond jakobi", ["jakobi", "did you mean 'jacobi'?"]),
        ("--format elll", ["elll", "did you mean 'ell'?"]),
        ("--ordering rmc", ["rmc", "auto, natural, rcm, colours"]),
        ("--precision double-double", ["double-double", "auto, f64, f32, hybrid"]),
        ("--device gpu", ["gpu", "auto, cpu, cuda, cuda:N, reference"]),
        ("--autotuning guessed", ["guessed", "timed, modelled"]),
        ("--threads 0", ["0 threads", "1 to 1024"]),
        ("--threads 1000000", ["1000000 threads", "1 to 1024"]),
        ("--threads two", ["two", "--threads"]),
        ("--rtol -1", ["rtol = -1", "not negative"]),
        ("--rtol nan", ["rtol = NaN", "finite"]),
        ("--atol inf", ["atol = inf", "finite"]),
        ("--rtoll 1", ["--rtoll", "--rtol"]),
    ] {
        folder.run(&format!("{problem} {option}")).fails_saying(&words);
    }
    folder.run("solve gallery:poison3d").fails_saying(&["did you mean 'poisson3d'?"]);
    folder.run("solve gallery:poisson1d?m=5").fails_saying(&["'m'", "known are n"]);
    folder.run("solve gallery:poisson1d?n=0").fails_saying(&["n = 0"]);
    folder.run("sovle").fails_saying(&["sovle", "solve"]);
    folder.run("bench spmv gallery:poisson1d?n=5 --repetitions 0").fails_saying(&["--repetitions"]);
    folder.run("bench spmv gallery:poisson1d?n=5 --formats csr,elf").fails_saying(&["elf"]);
    let krylov = "bench krylov gallery:poisson1d?n=5";
    folder.run(&format!("{krylov} --methods cg,lu")).fails_saying(&["unknown method 'lu'", "gmres:M"]);
    folder.run(&format!("{krylov} --precond jakobi")).fails_saying(&["jakobi"]);
    folder.run(&format!("{krylov} --repetitions 0")).fails_saying(&["--repetitions"]);
    folder.run(&format!("{krylov} --time-limit -1")).exits(2);
}

/// A sender that breaks off, and a copy that is still under way.
#[test]
fn a_file_that_ends_while_it_is_sent_is_refused_with_a_hint() {
    let folder = Folder::new();
    folder.run("convert gallery:poisson2d?n=9 A.mtx").exits(0);
    folder.file("x.mtx", "old");
    let length = folder.read("A.mtx").len();
    for bytes in [60, length / 2, length - 8] {
        let line = format!("head -c {bytes} A.mtx | galerkit solve - -o x.mtx");
        folder.shell(&line).fails_saying(&["standard input:", "expected", "hint: the file ends early"]);
        folder.shell(&format!("head -c {bytes} A.mtx > B.mtx"));
        folder.run("solve B.mtx -o x.mtx").fails_saying(&["B.mtx:", "expected", "hint: the file ends early"]);
    }
    assert_eq!(
        (folder.read("x.mtx").as_str(), folder.names()),
        ("old", ["A.mtx", "B.mtx", "x.mtx"].map(String::from).to_vec())
    );
}

/// A disk that is full: the shell's limit for files stands in for it.
#[test]
fn a_full_disk_leaves_the_old_answer() {
    let folder = Folder::new();
    for (name, arguments) in [
        ("x.mtx", "solve gallery:poisson2d?n=60 -o x.mtx -q"),
        ("h.csv", "solve gallery:poisson2d?n=60 --method cg --rtol 0 --max-iterations 400 --history h.csv -q"),
        ("A.mtx", "convert gallery:poisson2d?n=60 A.mtx"),
        ("A.mtx.gz", "convert gallery:poisson2d?n=60 A.mtx.gz"),
    ] {
        folder.file(name, "old");
        let ran = folder.shell(&format!("trap '' XFSZ; ulimit -f 1; exec galerkit {arguments}"));
        ran.fails_saying(&[name, "File too large", "hint: there is no room"]);
        assert_eq!((folder.read(name).as_str(), folder.names()), ("old", vec![name.to_string()]));
        std::fs::remove_file(folder.path().join(name)).unwrap();
    }
}

#[test]
fn garbage_on_standard_input_is_an_error_too() {
    let folder = Folder::new();
    folder.shell("printf 'garbage' | galerkit solve -").fails_saying(&["standard input:1: expected"]);
    folder.shell("galerkit solve - < /dev/null").fails_saying(&["standard input"]);
}
