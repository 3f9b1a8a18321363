//! Which columns are eliminated together, and which front takes up what they leave: by the pattern alone.

use super::groups::Groups;
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
    /// Of a matrix with rows, given the lower triangle of its groups; none where memory runs out.
    pub fn new(groups: &Groups, pattern: SymbolicSparseColMatRef<'_, usize>) -> Option<Self> {
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..Default::default()
        };
        let symbolic = factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, params).ok()?;
        let SymbolicCholeskyRaw::Supernodal(supernodes) = symbolic.raw() else { return None };
        let in_order = symbolic.perm()?.arrays().0;
        let order: Vec<usize> = in_order.iter().flat_map(|&group| groups.rows(group)).copied().collect();
        let mut position = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &row)| position[row] = at);
        let mut first = vec![0]; // where the rows of each group are, in the new order
        in_order.iter().zip(0..).for_each(|(&group, k): (_, usize)| first.push(first[k] + groups.rows(group).len()));
        let mut owner = vec![0; order.len()];
        let columns = |s: usize| first[supernodes.supernode_begin()[s]]..first[supernodes.supernode_end()[s]];
        (0..supernodes.n_supernodes()).for_each(|s| owner[columns(s)].fill(s));
        let node = |s: usize| {
            let rows = supernodes.supernode(s).pattern().iter();
            let below: Vec<usize> = rows.flat_map(|&group| first[group]..first[group + 1]).collect();
            let parent = below.first().map(|&row| owner[row]);
            Node { columns: columns(s), below, parent }
        };
        let nodes = (0..supernodes.n_supernodes()).map(node).collect();
        Some(Self { order, position, nodes })
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
