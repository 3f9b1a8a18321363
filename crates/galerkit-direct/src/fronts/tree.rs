//! Which columns are eliminated together, and which front takes up what they leave: by the pattern alone.

use faer::Side;
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};
use std::ops::Range;

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

    /// Entries of the factors: where A is symmetric, U12 follows from L21.
    pub fn entries(&self, is_symmetric: bool) -> f64 {
        let sides = if is_symmetric { 1 } else { 2 };
        let of = |node: &Node| node.columns.len() as f64 * (node.columns.len() + sides * node.below.len()) as f64;
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
