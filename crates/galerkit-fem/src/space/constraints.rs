//! Functions on hanging entities as combinations of others: C of `local = C global`. The trace of a function of the big
//! cell on the hanging entity is a product over the axes of the parent entity: an entry of S^L or S^R along which the
//! entity covers a half, the value at the midpoint where it lies across.

use super::entities::Entities;
use super::numbering::Numbering;
use super::row::{Row, summed};
use crate::basis::dense::Dense;
use crate::basis::halves::halves;
use crate::forest::Forest;
use crate::forest::coarse::Orientation;
use galerkit_linalg::parallel;

/// One row for each hanging function, in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    start: Vec<usize>,
    entries: Row,
}

impl Constraints {
    /// How many hanging functions there are.
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }
    /// Whether nothing hangs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The combination that is hanging function i.
    pub fn row(&self, i: usize) -> &[(u32, f64)] {
        &self.entries[self.start[i]..self.start[i + 1]]
    }

    /// The rows of all hanging entities.
    pub fn new(forest: &Forest, entities: &Entities, numbering: &Numbering, degrees: &[u8]) -> Self {
        let masters = numbering.counts.masters;
        let mut rows = vec![Row::new(); numbering.counts.total - masters];
        let mut hanging: Vec<usize> = (0..entities.len()).filter(|&entity| entities.hangs(entity)).collect();
        // Big ones first: what a small one hangs on may itself hang.
        hanging.sort_by_key(|&entity| entities.keys[entity].lattice_level());
        for level in hanging.chunk_by(|a, b| entities.keys[*a].lattice_level() == entities.keys[*b].lattice_level()) {
            let known = &rows;
            let computed = parallel::values(level.len(), &|k| {
                let trace = Trace::new(forest, entities, numbering, degrees, level[k]);
                let row = |own| resolved(trace.row(own), masters, known);
                (0..entities.functions(level[k])).map(row).collect::<Vec<_>>()
            });
            for (&entity, new) in level.iter().zip(computed) {
                let first = numbering.of_entity[entity] as usize - masters;
                new.into_iter().enumerate().for_each(|(own, row)| rows[first + own] = row);
            }
        }
        let mut start = vec![0];
        rows.iter().for_each(|row| start.push(start[start.len() - 1] + row.len()));
        Self { start, entries: rows.concat() }
    }
}

/// Replaces hanging functions in a row by what they hang on; sorts and sums.
fn resolved(row: Row, masters: usize, known: &[Row]) -> Row {
    let mut sum = Row::new();
    for (i, factor) in row {
        match (i as usize).checked_sub(masters) {
            None => sum.push((i, factor)),
            Some(hanging) => sum.extend(known[hanging].iter().map(|&(i, c)| (i, factor * c))),
        }
    }
    summed(sum)
}

/// Along one axis of the parent: which half the entity covers, or that it lies across the middle.
#[derive(Clone, Copy, Debug)]
enum Span {
    Half(usize),
    Middle,
}

/// The traces of a big cell's functions on a hanging entity.
struct Trace {
    degree: usize,
    spans: Vec<Span>,                       // along the axes of the parent, as the big cell counts them
    lies: Orientation,                      // of the parent in the big cell
    functions: Vec<(Vec<usize>, u32, f64)>, // of the parent's closure: index along its axes, number, sign
}

impl Trace {
    fn new(forest: &Forest, entities: &Entities, numbering: &Numbering, degrees: &[u8], entity: usize) -> Self {
        let parent = entities.parent[entity] as usize;
        let (small, big) = (&entities.keys[entity], &entities.keys[parent]);
        let (e, part) = entities.owner[parent];
        let (_, lies) = forest.entity(e as usize, part);
        let span = |(k, flip): (usize, bool)| {
            let is_upper = small.corner[k] != big.corner[k];
            if small.is_along(k) { Span::Half(usize::from(is_upper != flip)) } else { Span::Middle }
        };
        let axes = (0..3).filter(|&k| big.is_along(k)).zip(lies.flip);
        let (p, dim) = (degrees[e as usize] as usize, forest.dim());
        let mut functions = Vec::new();
        for (local, function) in numbering.functions_of(forest, entities, e as usize, p).iter().enumerate() {
            let index: Vec<usize> = (0..dim).map(|a| local / (p + 1).pow((dim - 1 - a) as u32) % (p + 1)).collect();
            let is_in_closure = (0..dim).all(|a| part.0[a] == 2 || index[a] == part.0[a] as usize);
            if let (true, Some((i, sign))) = (is_in_closure, function.get()) {
                let along = (0..big.dim()).map(|k| index[lies.axes[k] as usize]).collect();
                functions.push((along, i as u32, sign));
            }
        }
        Self { degree: entities.degree[entity] as usize, spans: axes.map(span).collect(), lies, functions }
    }

    /// The coefficients of function `own` of the hanging entity.
    fn row(&self, own: usize) -> Row {
        let bubbles = self.degree - 1;
        let (mut wanted, mut rest) = (vec![1; self.spans.len()], own); // column 1: the value at the midpoint
        for k in (0..self.spans.len()).rev() {
            if matches!(self.spans[k], Span::Half(_)) {
                wanted[k] = rest % bubbles + 2;
                rest /= bubbles;
            }
        }
        let coefficient =
            |along: &[usize]| -> f64 { (0..along.len()).map(|k| self.factor(k, along[k], wanted[k])).product() };
        self.functions.iter().map(|(along, i, sign)| (*i, sign * coefficient(along))).collect()
    }

    /// The coefficient of small function j in big function i along axis k of the parent.
    fn factor(&self, k: usize, i: usize, j: usize) -> f64 {
        let S: &[Dense; 2] = halves();
        match self.spans[k] {
            Span::Middle => S[0][(i, 1)],
            Span::Half(half) if self.lies.flip[k] && j % 2 == 1 => -S[half][(i, j)],
            Span::Half(half) => S[half][(i, j)],
        }
    }
}
