//! An assignment of least cost by shortest augmenting paths: rows one after the other, each by Dijkstra's method over
//! the reduced costs c_ij - u_i - v_j >= 0 (Jonker and Volgenant, Computing 38 (1987) 325-340; sparse as in Duff and
//! Koster 2001, section 3). A row from which no path ends in a free column never has one, so it stays unmatched and the
//! matching is a largest one.

use super::costs::Costs;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

const NONE: u32 = u32::MAX;

/// A matching with dual variables: u_i + v_j <= c_ij, with equality where i is matched with j.
pub(super) struct Assignment {
    column_of: Vec<u32>,
    row_of: Vec<u32>,
    u: Vec<f64>,
    v: Vec<f64>,
}

impl Assignment {
    /// The cheapest of the largest matchings.
    pub(super) fn cheapest<S: Scalar>(A: &Csr<S>, costs: &Costs) -> Self {
        let mut made = Self::at_once(A, costs);
        let mut search = Search::new(A.cols());
        for i in 0..A.rows() {
            if made.column_of[i] == NONE {
                made.augment(A, costs.each(), i, &mut search);
            }
        }
        made
    }

    /// Dual variables by the least costs of columns, then of rows, and each row matched whose cheapest column is free.
    fn at_once<S: Scalar>(A: &Csr<S>, costs: &Costs) -> Self {
        let n = A.rows();
        let (mut u, mut v) = (vec![0.0; n], vec![f64::INFINITY; n]);
        for (&j, &c) in A.col().iter().zip(costs.each()) {
            v[j as usize] = c.min(v[j as usize]);
        }
        v.iter_mut().filter(|v| v.is_infinite()).for_each(|v| *v = 0.0); // no entry: never matched
        let (mut column_of, mut row_of) = (vec![NONE; n], vec![NONE; n]);
        for i in 0..n {
            let reduced = A.range(i).map(|k| (costs.each()[k] - v[A.col()[k] as usize], A.col()[k]));
            let Some((least, j)) = reduced.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(least, _)| least.is_finite())
            else {
                continue;
            };
            u[i] = least;
            if row_of[j as usize] == NONE {
                (column_of[i], row_of[j as usize]) = (j, i as u32);
            }
        }
        Self { column_of, row_of, u, v }
    }

    /// Matches one more row along the shortest path to a free column, if there is one.
    fn augment<S: Scalar>(&mut self, A: &Csr<S>, costs: &[f64], source: usize, search: &mut Search) {
        search.clear();
        let (mut i, mut walked) = (source, 0.0);
        let mut end: Option<(f64, u32)> = None;
        loop {
            for k in A.range(i) {
                let j = A.col()[k];
                let reduced = (costs[k] - self.u[i] - self.v[j as usize]).max(0.0); // rounding
                let distance = walked + reduced;
                if end.is_some_and(|(least, _)| distance >= least) || !search.improves(j, distance, i) {
                    continue;
                }
                match self.row_of[j as usize] {
                    NONE => end = Some((distance, j)),
                    _ => search.nearest.push(Reached { distance, column: j }),
                }
            }
            match search.next().filter(|next| end.is_none_or(|(least, _)| next.distance < least)) {
                Some(next) => (i, walked) = (self.row_of[next.column as usize] as usize, next.distance),
                None => break,
            }
        }
        match end {
            Some((length, column)) => {
                self.shift(source, length, search);
                self.flip(source, column, search);
            }
            None => search.bury(),
        }
    }

    /// Makes every entry of the path an equality; columns that were left on the way are as far from its end as their
    /// distance says.
    fn shift(&mut self, source: usize, length: f64, search: &Search) {
        for &j in &search.left {
            let slack = (length - search.distance[j as usize]).max(0.0);
            self.v[j as usize] -= slack;
            self.u[self.row_of[j as usize] as usize] += slack;
        }
        self.u[source] += length;
    }

    /// Matches along the path, from its end to its source.
    fn flip(&mut self, source: usize, end: u32, search: &Search) {
        let mut j = end;
        loop {
            let i = search.before[j as usize];
            let freed = std::mem::replace(&mut self.column_of[i as usize], j);
            self.row_of[j as usize] = i;
            if i as usize == source {
                return;
            }
            j = freed;
        }
    }

    /// Rows that are matched.
    pub(super) fn count(&self) -> usize {
        self.column_of.iter().filter(|&&j| j != NONE).count()
    }

    /// The row of each column, u and v.
    pub(super) fn into_parts(self) -> (Vec<u32>, Vec<f64>, Vec<f64>) {
        (self.row_of, self.u, self.v)
    }
}

/// What one search has found; its arrays serve the next one.
struct Search {
    /// The length of the shortest way to each column.
    distance: Vec<f64>,
    /// The row before each column on that way.
    before: Vec<u32>,
    is_left: Vec<bool>,
    nearest: BinaryHeap<Reached>,
    /// Columns that were reached.
    touched: Vec<u32>,
    /// Matched columns whose distance is final.
    left: Vec<u32>,
}

impl Search {
    fn new(columns: usize) -> Self {
        Self {
            distance: vec![f64::INFINITY; columns],
            before: vec![NONE; columns],
            is_left: vec![false; columns],
            nearest: BinaryHeap::new(),
            touched: Vec::new(),
            left: Vec::new(),
        }
    }

    fn clear(&mut self) {
        for j in self.touched.drain(..) {
            (self.distance[j as usize], self.is_left[j as usize]) = (f64::INFINITY, false);
        }
        self.nearest.clear();
        self.left.clear();
    }

    /// After a search without an end: whoever comes to one of its columns finds no end either, so nobody need go there
    /// again.
    fn bury(&mut self) {
        self.touched.clear(); // they stay left
    }

    /// Notes a way to a column if it is the shortest so far.
    fn improves(&mut self, j: u32, distance: f64, row: usize) -> bool {
        let known = &mut self.distance[j as usize];
        if self.is_left[j as usize] || distance >= *known {
            return false;
        }
        if known.is_infinite() {
            self.touched.push(j);
        }
        (*known, self.before[j as usize]) = (distance, row as u32);
        true
    }

    /// The nearest matched column that was not left yet.
    fn next(&mut self) -> Option<Reached> {
        while let Some(next) = self.nearest.pop() {
            if !std::mem::replace(&mut self.is_left[next.column as usize], true) {
                self.left.push(next.column);
                return Some(next);
            }
        }
        None
    }
}

/// A column and how far it is; the nearest is the greatest.
struct Reached {
    distance: f64,
    column: u32,
}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        other.distance.total_cmp(&self.distance).then(other.column.cmp(&self.column))
    }
}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Reached {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Reached {}
