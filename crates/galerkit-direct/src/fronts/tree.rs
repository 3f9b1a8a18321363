//! Which columns are eliminated together, and which front takes up what they leave: by the pattern alone.

use faer::Side;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SymbolicSparseColMat, SymbolicSparseColMatRef};
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::Csr;
use std::ops::Range;

/// Entries without a partner across the diagonal, over all, up to which a pattern counts as symmetric: each becomes a
/// stored zero.
const MISSING: f64 = 0.3;

/// A group of subtrees takes at most the share of all work that one of so many would.
const SUBTREES: f64 = 32.0;

/// Fronts, each after all that it takes up.
pub struct Tree {
    /// The row of A for each row in the new order.
    pub order: Vec<usize>,
    /// The reverse.
    pub position: Vec<usize>,
    /// In the order of elimination.
    pub nodes: Vec<Node>,
}

/// A front.
pub struct Node {
    /// The columns it eliminates, in the new order.
    pub columns: Range<usize>,
    /// Rows and columns that it changes, above the former, rising.
    pub below: Vec<usize>,
    /// Which takes up what it leaves; none where that is nothing.
    pub parent: Option<usize>,
}

impl Node {
    /// Multiplications.
    fn work(&self) -> f64 {
        let [own, below] = [self.columns.len() as f64, self.below.len() as f64];
        own * (own * own / 3.0 + own * below + below * below)
    }
}

/// Whether fronts are worth it: nearly every entry has a partner across the diagonal.
pub fn is_nearly_symmetric<S: Scalar>(A: &Csr<S>) -> bool {
    let has = |i: usize, j: usize| {
        A.col()[A.start()[i] as usize..A.start()[i + 1] as usize].binary_search(&(j as u32)).is_ok()
    };
    let missing: usize = (0..A.rows()).map(|i| A.row(i).filter(|&(j, _)| !has(j, i)).count()).sum();
    missing as f64 <= MISSING * A.nnz() as f64
}

/// The lower triangle of A + A^T by columns, which is its upper one by rows.
pub fn lower_triangle<S: Scalar>(A: &Csr<S>) -> SymbolicSparseColMat<usize> {
    let mut columns: Vec<Vec<usize>> = (0..A.rows()).map(|i| vec![i]).collect();
    for i in 0..A.rows() {
        A.row(i).filter(|&(j, _)| j != i).for_each(|(j, _)| columns[i.min(j)].push(i.max(j)));
    }
    let mut start = vec![0];
    for column in &mut columns {
        column.sort_unstable();
        column.dedup();
        start.push(start[start.len() - 1] + column.len());
    }
    SymbolicSparseColMat::new_checked(A.rows(), A.rows(), start, None, columns.concat())
}

impl Tree {
    /// Of a square matrix with rows; none where memory runs out.
    pub fn new(pattern: SymbolicSparseColMatRef<'_, usize>) -> Option<Self> {
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..Default::default()
        };
        let symbolic = factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, params).ok()?;
        let (order, position) = symbolic.perm()?.arrays();
        let SymbolicCholeskyRaw::Supernodal(nodes) = symbolic.raw() else { return None };
        let mut owner = vec![0; pattern.nrows()];
        for s in 0..nodes.n_supernodes() {
            owner[nodes.supernode_begin()[s]..nodes.supernode_end()[s]].fill(s);
        }
        let node = |s: usize| {
            let below = nodes.supernode(s).pattern().to_vec();
            let parent = below.first().map(|&row| owner[row]);
            Node { columns: nodes.supernode_begin()[s]..nodes.supernode_end()[s], below, parent }
        };
        let nodes = (0..nodes.n_supernodes()).map(node).collect();
        Some(Self { order: order.to_vec(), position: position.to_vec(), nodes })
    }

    /// Entries of both factors.
    pub fn entries(&self) -> f64 {
        let of = |node: &Node| node.columns.len() as f64 * (node.columns.len() + 2 * node.below.len()) as f64;
        self.nodes.iter().map(of).sum()
    }

    /// Groups of subtrees that can be eliminated side by side, each with its fronts in order, and the fronts above them
    /// all. The same for any number of threads.
    pub fn subtrees(&self) -> (Vec<Vec<usize>>, Vec<usize>) {
        let mut work: Vec<f64> = self.nodes.iter().map(Node::work).collect();
        let most = work.iter().sum::<f64>() / SUBTREES;
        for (s, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                work[parent] += work[s];
            }
        }
        let (mut groups, mut of, mut above, mut so_far) = (vec![Vec::new()], vec![0; work.len()], Vec::new(), 0.0);
        for (s, node) in self.nodes.iter().enumerate().rev() {
            if work[s] > most {
                above.push(s);
                continue;
            }
            of[s] = match node.parent.filter(|&parent| work[parent] <= most) {
                Some(parent) => of[parent],
                None => {
                    if so_far + work[s] > most {
                        groups.push(Vec::new());
                        so_far = 0.0;
                    }
                    so_far += work[s];
                    groups.len() - 1
                }
            };
            groups[of[s]].push(s);
        }
        groups.iter_mut().chain([&mut above]).for_each(|nodes| nodes.reverse());
        (groups, above)
    }
}
