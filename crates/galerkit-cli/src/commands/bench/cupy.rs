//! CuPy's conjugate gradients next to ours: the script `benches/cupy_cg.py`, run by the first python3, on grids of 27
//! points.

use std::process::Command;

const SCRIPT: &str = include_str!("../../../../../benches/cupy_cg.py");

/// What CuPy needed.
#[derive(Debug, PartialEq)]
pub struct Peer {
    /// Seconds of an iteration, everything included.
    pub seconds: f64,
    pub iterations: usize,
    pub true_residual: f64,
    pub version: String,
}

/// The grid of a gallery problem that the script can build: `gallery:poisson3d?n=G`, with 27 points and nothing else
/// said.
pub fn grid(name: &str) -> Option<usize> {
    let mut grid = None;
    for part in name.strip_prefix("gallery:poisson3d?")?.split('&') {
        match part.split_once('=')? {
            ("n", number) => grid = number.parse().ok(),
            ("stencil", "27") => (),
            _ => return None,
        }
    }
    grid
}

/// Runs the script; the error says why it could not be.
pub fn solve(grid: usize, rtol: f64, limit: usize) -> Result<Peer, String> {
    let arguments = [grid.to_string(), rtol.to_string(), limit.to_string()];
    let output = Command::new("python3").args(["-c", SCRIPT]).args(arguments).output();
    let output = output.map_err(|error| format!("python3 cannot be run: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it failed silently");
        return Err(format!("python3 says: {last} (pip install cupy-cuda13x, or -cuda12x)"));
    }
    parse(&String::from_utf8_lossy(&output.stdout)).ok_or_else(|| "its output cannot be read".into())
}

/// milliseconds iterations residual version
fn parse(text: &str) -> Option<Peer> {
    let mut words = text.lines().last()?.split_whitespace();
    Some(Peer {
        seconds: words.next()?.parse::<f64>().ok()? / 1e3,
        iterations: words.next()?.parse().ok()?,
        true_residual: words.next()?.parse().ok()?,
        version: words.next()?.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_grids_of_27_points_are_compared() {
        assert_eq!(grid("gallery:poisson3d?n=100&stencil=27"), Some(100));
        assert_eq!(grid("gallery:poisson3d?n=64"), Some(64));
        for other in ["gallery:poisson3d?n=64&stencil=7", "gallery:poisson2d?n=64", "A.mtx", "gallery:poisson3d"] {
            assert_eq!(grid(other), None, "{other}");
        }
    }

    #[test]
    fn the_last_line_counts() {
        let peer = Peer { seconds: 0.25e-3, iterations: 77, true_residual: 9e-9, version: "13.0".into() };
        assert_eq!(parse("a warning\n0.25 77 9e-9 13.0\n"), Some(peer));
        assert_eq!(parse("0.25 seventy 9e-9 13.0"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn a_python_without_cupy_says_so() {
        match solve(4, 1e-8, 100) {
            Ok(peer) => assert!(peer.iterations > 0 && peer.true_residual < 1e-7),
            Err(why) => assert!(why.contains("python3"), "{why}"),
        }
    }
}
