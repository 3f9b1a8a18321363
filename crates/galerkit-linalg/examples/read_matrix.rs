//! Reads a Matrix Market file and prints rows, columns, non-zeros and the seconds it took.
//! `cargo run --release -p galerkit-linalg --example read_matrix -- A.mtx.gz`

use galerkit_linalg::io::matrix_market::read_matrix;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: read_matrix FILE");
        return ExitCode::from(2);
    };
    rayon::current_num_threads(); // starts the threads, which a program that solves has running anyway
    let begin = Instant::now();
    match read_matrix(&path) {
        Ok(file) => {
            let seconds = begin.elapsed().as_secs_f64();
            println!("{} {} {} {seconds:.6}", file.matrix.rows(), file.matrix.cols(), file.matrix.nnz());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
