//! The unknowns that infinite elements add to those of the space: one for each radial function but the first, and each
//! function with a trace there.

use super::condition::Condition;
use super::helmholtz::Helmholtz;
use super::wave_space::WaveSpace;
use crate::space::row::Row;
use std::collections::HashMap;
use std::ops::Range;

/// Further unknowns of infinite elements: for each numbered function with a trace there, one for each radial function
/// but the first.
pub struct Extras {
    /// How many.
    pub count: usize,
    masters: usize,
    orders: HashMap<i32, usize>,
    range: HashMap<u32, Range<u32>>, // of each function
}

impl Extras {
    /// Of a problem.
    pub fn new<V: WaveSpace>(problem: &Helmholtz<V>) -> Self {
        let of = |(&tag, condition): (&i32, &Condition)| match condition {
            Condition::Infinite { order, .. } => Some((tag, *order)),
            _ => None,
        };
        let orders: HashMap<i32, usize> = problem.conditions.iter().filter_map(of).collect();
        let (mut range, mut count) = (HashMap::new(), 0u32);
        let space = &problem.space;
        for e in 0..if orders.is_empty() { 0 } else { space.cells() } {
            for side in space.sides(e).into_iter().filter(|side| orders.contains_key(&side.tag)) {
                let rows = space.rows(e);
                for &(i, _) in space.on_side(e, side).iter().flat_map(|&f| &rows[f]) {
                    range.entry(i).or_insert_with(|| {
                        let first = count;
                        count += orders[&side.tag] as u32 - 1;
                        first..count
                    });
                }
            }
        }
        Self { count: count as usize, masters: space.masters(), orders, range }
    }

    /// Rows of the trace, then of each further radial function.
    pub fn rows(&self, tag: i32, traces: &[Row]) -> Vec<Row> {
        let shifted = |row: &Row, j: usize| -> Row {
            row.iter().map(|&(i, c)| (self.masters as u32 + self.range[&i].start + j as u32, c)).collect()
        };
        let further = (0..self.orders[&tag] - 1).flat_map(|j| traces.iter().map(move |row| shifted(row, j)));
        traces.iter().cloned().chain(further).collect()
    }

    /// For each of them the number in those of a larger space, where function i has the number `functions[i]`.
    pub fn numbers_in(&self, larger: &Self, functions: &[u32]) -> Vec<u32> {
        let mut numbers = vec![0; self.count];
        for (&i, own) in &self.range {
            let there = larger.range[&functions[i as usize]].clone();
            own.clone().zip(there).for_each(|(own, there)| numbers[own as usize] = there);
        }
        numbers
    }
}
