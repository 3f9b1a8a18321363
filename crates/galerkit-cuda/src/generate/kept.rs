//! The texts of cycles, kept for as long as the process runs: one of thirty places takes 10 to 20 ms to write, which is longer than a
//! small system takes to be solved. They are found by a digest of all that decides about the text, with the names that vectors and
//! numbers have in it: the same method on another system of the same kind finds what the first has left.

use super::{Names, Persistent};
use crate::plan::Stage;
use galerkit_linalg::engine::Test;
use galerkit_linalg::engine::record::{Line, Slot};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;
use std::sync::{Arc, Mutex, PoisonError};

/// A text, and of how many it is made.
pub type Text = Arc<(String, usize)>;

/// Texts that are kept at most, of some 100 kB each.
const MOST: usize = 64;

static KEPT: Mutex<Option<HashMap<[u64; 2], Text>>> = Mutex::new(None);

/// The text with this digest; written if there is none yet.
pub fn text(digest: [u64; 2], write: impl FnOnce() -> (String, usize)) -> Text {
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(text) = kept().as_ref().and_then(|texts| texts.get(&digest)) {
        return text.clone();
    }
    let text = Arc::new(write());
    let mut kept = kept();
    let texts = kept.get_or_insert_default();
    if texts.len() >= MOST {
        texts.clear();
    }
    texts.insert(digest, text.clone());
    text
}

/// The digest of the ways of a loop, which is `way` in C++: 128 bits, so that two that differ never have the same.
pub fn digest(writer: &Persistent<'_>, way: &str, ways: &[&[Stage]]) -> [u64; 2] {
    let Persistent { watched, names, protocol, shared } = *writer;
    [1u64, 2].map(|half| {
        let mut hasher = DefaultHasher::new();
        (half, names.slot(watched), shared, way, ways.len()).hash(&mut hasher);
        names.hash_members(&mut hasher);
        names.maps().iter().for_each(|&A| protocol(A).hash(&mut hasher));
        for stages in ways {
            stages.len().hash(&mut hasher);
            stages.iter().for_each(|stage| hash_stage(stage, names, &mut hasher));
        }
        hasher.finish()
    })
}

fn hash_stage(stage: &Stage, names: &Names, hasher: &mut DefaultHasher) {
    let Stage { unless, before, pass, after } = stage;
    unless.len().hash(hasher);
    unless.iter().for_each(|test| hash_test(test, names, hasher));
    for lines in [before, pass, after] {
        lines.len().hash(hasher);
        lines.iter().for_each(|line| hash_line(line, names, hasher));
    }
}

fn hash_test(test: &Test<Slot>, names: &Names, hasher: &mut DefaultHasher) {
    discriminant(test).hash(hasher);
    names.slot(test.number()).hash(hasher);
}

/// Lines of stages have no lines inside.
fn hash_line(line: &Line, names: &Names, hasher: &mut DefaultHasher) {
    discriminant(line).hash(hasher);
    line.reads().into_iter().chain(line.writes()).for_each(|x| names.vector(x).hash(hasher));
    line.scalar_reads().into_iter().chain(line.scalar_write()).for_each(|slot| names.slot(slot).hash(hasher));
    line.map().map(|A| names.map(A)).hash(hasher);
    match line {
        Line::Constant { value, .. } => value.to_bits().hash(hasher),
        Line::Scalar { op, .. } => discriminant(op).hash(hasher),
        Line::Require { test, otherwise } => (discriminant(test), otherwise).hash(hasher),
        _ => (),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::engine::record::VectorId;

    /// y = x, y = y + a x, a = (x, y), with these first names.
    fn lines(vector: usize, slot: usize) -> Vec<Line> {
        let [x, y] = [vector, vector + 1].map(VectorId);
        let a = Slot(slot);
        vec![Line::Copy { x, y }, Line::Axpy { a, x, y }, Line::Dot { x, y, out: a }]
    }

    fn digest_of(pass: Vec<Line>, shared: usize) -> [u64; 2] {
        let mut names = Names::default();
        pass.iter().for_each(|line| names.read(line, &|_| false));
        let watched = pass[2].scalar_write().expect("a dot product");
        let writer = Persistent { watched, names: &names, protocol: &|_| unreachable!("no maps"), shared };
        digest(&writer, "0", &[&[Stage { pass, ..Stage::default() }]])
    }

    #[test]
    fn other_names_have_the_same_digest_and_other_lines_another() {
        let one = digest_of(lines(3, 7), 0);
        assert_eq!(one, digest_of(lines(50, 2), 0));
        assert_ne!(one, digest_of(lines(3, 7), 8));
        let mut swapped = lines(3, 7);
        swapped[0] = Line::Copy { x: VectorId(4), y: VectorId(3) };
        assert_ne!(one, digest_of(swapped, 0));
    }

    #[test]
    fn a_text_is_written_once() {
        let digest = [17, 0xfeed];
        assert_eq!(text(digest, || ("text".into(), 3)).1, 3);
        assert_eq!(text(digest, || panic!("it is there")).0, "text");
    }
}
