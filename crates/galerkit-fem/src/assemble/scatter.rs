//! C_e, from local functions to unknowns: a cell's contribution is C_e^T K_e C_e, its load C_e^T (f_e - K_e g_e), with
//! g_e the local coefficients of the Dirichlet data.

use crate::basis::dense::Dense;
use crate::space::Space;
use crate::space::row::Row;

/// C_e, restricted to the unknowns with a number below a limit.
#[derive(Clone, Debug)]
pub struct Scatter {
    /// The unknowns of the cell, ascending.
    pub unknowns: Vec<u32>,
    rows: Vec<Row>, // of each local function: place among the cell's unknowns, coefficient
}

impl Scatter {
    /// C_e of cell e with unknowns below `limit` alone.
    pub fn new(space: &Space, e: usize, limit: usize) -> Self {
        Self::of_rows(space.local_rows(e), limit)
    }

    /// C_e by its rows, with unknowns below `limit` alone.
    pub fn of_rows(mut rows: Vec<Row>, limit: usize) -> Self {
        rows.iter_mut().for_each(|row| row.retain(|&(i, _)| (i as usize) < limit));
        let mut unknowns: Vec<u32> = rows.iter().flatten().map(|&(i, _)| i).collect();
        unknowns.sort_unstable();
        unknowns.dedup();
        for entry in rows.iter_mut().flatten() {
            entry.0 = unknowns.binary_search(&entry.0).expect("it was just listed") as u32;
        }
        Self { unknowns, rows }
    }

    /// C_e of a cell whose local functions are global ones, with unknowns below `limit` alone.
    pub fn direct(functions: &[u32], limit: usize) -> Self {
        Self::of_rows(functions.iter().map(|&i| vec![(i, 1.0)]).collect(), limit)
    }

    /// Places in C^T K C, row by row, that can differ from 0, given the same of K; all of them if nothing is given.
    pub fn entries(&self, coupling: Option<&Dense>) -> Vec<u32> {
        let m = self.unknowns.len();
        let Some(coupling) = coupling else { return (0..(m * m) as u32).collect() };
        let positive = |row: &Row| row.iter().map(|&(i, c)| (i, c.abs())).collect();
        let absolute = Self { unknowns: self.unknowns.clone(), rows: self.rows.iter().map(positive).collect() };
        let mut block = vec![0.0; m * m];
        absolute.matrix(coupling, &mut block);
        (0..(m * m) as u32).filter(|&at| block[at as usize] != 0.0).collect()
    }

    /// C^T K C, row by row.
    pub fn matrix(&self, K: &Dense, into: &mut [f64]) {
        let m = self.unknowns.len();
        let mut KC = vec![0.0; m];
        into.fill(0.0);
        for (i, row) in self.rows.iter().enumerate().filter(|(_, row)| !row.is_empty()) {
            KC.fill(0.0);
            for (&k, columns) in K.row(i).iter().zip(&self.rows).filter(|(k, _)| **k != 0.0) {
                columns.iter().for_each(|&(j, c)| KC[j as usize] += k * c);
            }
            for &(r, c) in row {
                let target = &mut into[r as usize * m..(r as usize + 1) * m];
                target.iter_mut().zip(&KC).for_each(|(sum, value)| *sum += c * value);
            }
        }
    }

    /// C^T f.
    pub fn vector(&self, f: &[f64], into: &mut [f64]) {
        into.fill(0.0);
        for (row, f) in self.rows.iter().zip(f) {
            row.iter().for_each(|&(r, c)| into[r as usize] += c * f);
        }
    }
}
