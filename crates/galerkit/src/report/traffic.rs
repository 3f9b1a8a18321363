//! The bytes that iterations must move, counted from the recurrence: each pass over memory reads and writes its vectors
//! once, a product reads the stored matrix once. What a cache keeps makes the real traffic smaller, scattered reads of
//! x make it larger.

use crate::choice::Device;
use galerkit_linalg::Scalar;
use galerkit_linalg::precond::Prepared;
use galerkit_linalg::program::fuse::{Facts, Most, fuse};
use galerkit_linalg::program::{Instruction, MapId, Program, Role, Step, inspect, variants};

/// Bytes of one pass over each part.
pub(crate) struct Traffic {
    matrix: u64,
    preconditioner: u64,
    vector: u64,
    vectors_per_iteration: u64,
}

/// One verb at a time: A p 2, (p, q) 2, x 3, r 3, M r 2, (r, z) 2, ||r|| 1, p 3.
const UNFUSED: u64 = 18;
/// Fused: A p with (p, q) 2; r 3; M r 2; (r, z) with ||r|| 2; x and p 5.
const FUSED: u64 = 14;
/// Fused with a diagonal M: A p with (p, q) 2; r, M r, (r, z) and ||r|| 4; x and p 5.
const FUSED_WITH_DIAGONAL: u64 = 11;
/// Vectors of b - A x: b, x and the result.
const RESIDUAL_VECTORS: u64 = 3;

impl Traffic {
    /// For conjugate gradients with a matrix of so many bytes and rows, and a preconditioner.
    pub(crate) fn of_cg<S: Scalar>((bytes, rows): (usize, usize), M: &Prepared<S>, device: Device) -> Self {
        let (matrix, vector) = (bytes as u64, (rows * size_of::<S>()) as u64);
        let preconditioner = M.traffic(bytes) as u64;
        let vectors_per_iteration = match (device, M.is_elementwise()) {
            (Device::Reference, _) => UNFUSED,
            (Device::Cpu | Device::Cuda(_), false) => FUSED,
            (Device::Cpu | Device::Cuda(_), true) => FUSED_WITH_DIAGONAL,
        };
        Self { matrix, preconditioner, vector, vectors_per_iteration }
    }

    /// With another number of bytes for the stored matrix: what a device really reads.
    pub(crate) fn with_matrix(&self, bytes: Option<usize>) -> Self {
        Self { matrix: bytes.map_or(self.matrix, |bytes| bytes as u64), ..*self }
    }

    /// Of a whole solve: the iterations, the residuals that were replaced every `period` of them (0: none), and those
    /// at starts and ends.
    pub(crate) fn bytes(&self, iterations: usize, period: usize, restarts: usize) -> u64 {
        let iteration = self.matrix + self.preconditioner + self.vectors_per_iteration * self.vector;
        let residual = self.matrix + RESIDUAL_VECTORS * self.vector;
        let replaced = iterations.checked_div(period).unwrap_or(0);
        let around = 3 + 2 * restarts; // the driver before and after, the method at its start
        iterations as u64 * iteration + (replaced + around) as u64 * residual
    }
}

/// Bytes of what an iteration of an inner solve works with.
#[derive(Clone, Copy)]
pub(crate) struct InnerBytes {
    matrix: usize,
    /// Of a map of the preconditioner, on average.
    preconditioner: usize,
    elementwise: bool,
    vector: usize,
}

impl InnerBytes {
    /// For a matrix of so many bytes and rows, and a preconditioner.
    pub(crate) fn new<S: Scalar>(matrix: usize, M: &Prepared<S>, rows: usize) -> Self {
        let maps = M.map_bytes();
        let preconditioner = maps.iter().sum::<usize>() / maps.len().max(1);
        Self { matrix, preconditioner, elementwise: M.is_elementwise(), vector: rows * size_of::<S>() }
    }

    /// Bytes of an iteration of the first nested loop of a program, of which A is the matrix; the average of a cycle.
    /// None if there is no nested loop.
    pub(crate) fn iteration(&self, program: &Program, A: MapId) -> Option<u64> {
        let body = inspect::every_instruction(&program.instructions).into_iter().find_map(|line| match line {
            Instruction::Repeat { body, .. } => Some(body),
            _ => None,
        })?;
        let cycle = variants::variants(body);
        let total: usize = (0..cycle).map(|place| self.lines(variants::flatten(body, place), A)).sum();
        Some((total / cycle) as u64)
    }

    fn lines(&self, lines: Vec<Instruction>, A: MapId) -> usize {
        let role = |line: &Instruction| match line.map() {
            Some(map) if map.id == A.id && map.values.precision == A.values.precision => Role::Head,
            Some(_) if !self.elementwise => Role::Alone,
            _ => Role::Elementwise,
        };
        let map = |map: MapId| {
            if map.id == A.id && map.values.precision == A.values.precision { self.matrix } else { self.preconditioner }
        };
        let bytes = |lines: &[Instruction]| inspect::pass_bytes(lines, &|_| self.vector, &map);
        let steps = fuse(lines, &Facts { role: &role, most: Most::ANY, mixed: true });
        let step = |step: &Step| match step {
            Step::Group(group) => bytes(&group.instructions),
            Step::Instruction(line) if line.is_vector() => bytes(std::slice::from_ref(line)),
            Step::Instruction(_) => 0,
        };
        steps.iter().map(step).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_counted_solve() {
        let traffic = Traffic { matrix: 1000, preconditioner: 80, vector: 80, vectors_per_iteration: 18 };
        let iteration = 1000 + 80 + 18 * 80;
        assert_eq!(traffic.bytes(10, 0, 0), 10 * iteration + 3 * (1000 + 240));
        assert_eq!(traffic.bytes(10, 5, 1), 10 * iteration + 7 * (1000 + 240));
    }
}
