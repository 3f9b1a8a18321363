//! Maps that users bring and that are wrong: a product that panics on the host, kernel source that does not compile.
//! Each is an error that names the map, and the GPU is as well as before for the next executor.

use galerkit_cuda::{Cuda, Settings, testing};
use galerkit_linalg::engine::{Engine, Recorded};
use galerkit_linalg::map::{DeviceSource, Grid, LinearMap, Protocol, Word};

/// y = 2 x, or something that is wrong.
#[derive(Clone, Debug)]
struct Doubling {
    rows: usize,
    panics: bool,
    source: Option<&'static str>,
}

impl LinearMap<f64> for Doubling {
    fn shape(&self) -> (usize, usize) {
        (self.rows, self.rows)
    }
    fn bytes(&self) -> usize {
        0
    }
    fn apply(&self, _: &[f64], x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            assert!(!self.panics || i < 3, "row {i} is not to my taste");
            y[i] = 2.0 * x[i];
        }
    }
    fn device_source(&self) -> Option<DeviceSource> {
        let words = vec![Word::Number(self.rows as u64)];
        self.source.map(|source| DeviceSource {
            source: source.into(),
            protocol: Protocol::Rows,
            words,
            lanes: 1,
            grid: Grid::Rows,
        })
    }
}

const SOUND: &str = "struct Map { Offset rows; };
template <class Row> __device__ inline void each_row(const Map &A, const Scalar *x, Row row) {
    for (Offset i = thread_index(); i < A.rows; i += thread_count()) row(i)(x[i] + x[i]);
}
";
const UNSOUND: &str = "struct Map { Offset rows; };
template <class Row> __device__ inline void each_row(const Map &A, const Scalar *x, Row row) {
    for (Offset i = thread_index(); i < A.rows; i += thread_count()) row(i)(x[i] + nowhere[i]);
}
";

/// 2 x + x, or what went wrong.
fn run(map: Doubling) -> Result<Vec<f64>, String> {
    let gpu = testing::gpu().ok_or("skipped")?;
    let rows = map.rows;
    let mut e = Recorded::over(Cuda::<f64>::new(&gpu, Settings::default()).unwrap());
    let A = e.load(Box::new(map));
    let x = e.upload(&vec![1.5; rows]);
    let mut y = e.zeros_like(&x);
    e.apply_map(&A, &x, &mut y);
    let one = e.number(1.0);
    e.axpy(one, &x, &mut y);
    let y = e.download(&y);
    e.executor().failure().map_or(Ok(y), |error| Err(error.to_string()))
}

#[test]
fn maps_that_are_wrong_are_named() {
    let sound = Doubling { rows: 70, panics: false, source: None };
    let Ok(first) = run(sound.clone()) else { return };
    assert_eq!(first, vec![4.5; 70]);
    let said = run(Doubling { panics: true, ..sound.clone() }).unwrap_err();
    assert!(said.contains("Doubling has panicked: row 3 is not to my taste"), "{said}");
    let said = run(Doubling { source: Some(UNSOUND), ..sound.clone() }).unwrap_err();
    for part in ["does not compile", "mend the device source", "bad_input::Doubling", "nowhere"] {
        assert!(said.contains(part), "{part} is missing: {said}");
    }
    let at_line = ["Doubling:3:", "Doubling(3):"].iter().any(|place| said.contains(place));
    assert!(at_line, "the line of the map's own source: {said}");
    for source in [None, Some(SOUND)] {
        assert_eq!(run(Doubling { source, ..sound.clone() }).unwrap(), first, "well again");
    }
}
