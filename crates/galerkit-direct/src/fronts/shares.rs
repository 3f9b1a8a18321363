//! Who substitutes what: groups of subtrees side by side, and the fronts above them after one another. By the tree
//! alone, so that the number of threads changes no bit.

use super::tree::Tree;

/// Entries of factors below which one thread is faster alone.
const WORTH_IT: f64 = 1e6;

/// Where a row stands.
#[derive(Clone, Copy)]
pub enum Place {
    /// Among the rows of its group.
    Within(usize),
    /// Among the rows above all groups.
    Above(usize),
}

/// Fronts that one thread takes.
#[derive(Default)]
pub struct Group {
    /// In the order of elimination.
    pub nodes: Vec<usize>,
    /// The rows that they eliminate.
    pub rows: Vec<usize>,
}

/// All of them.
pub struct Shares {
    /// Side by side.
    pub groups: Vec<Group>,
    /// After them.
    pub above: Group,
    /// Of each row.
    pub places: Vec<Place>,
}

impl Shares {
    /// Of a tree.
    pub fn new(tree: &Tree) -> Self {
        let all = || (Vec::new(), (0..tree.nodes.len()).collect());
        let (groups, above) = if tree.entries(false) < WORTH_IT { all() } else { tree.subtrees() };
        let group = |nodes: Vec<usize>| {
            let rows = nodes.iter().flat_map(|&s| tree.nodes[s].columns.clone()).collect();
            Group { nodes, rows }
        };
        let (groups, above): (Vec<Group>, Group) = (groups.into_iter().map(group).collect(), group(above));
        let mut places = vec![Place::Above(0); tree.order.len()];
        for group in &groups {
            group.rows.iter().enumerate().for_each(|(i, &row)| places[row] = Place::Within(i));
        }
        above.rows.iter().enumerate().for_each(|(i, &row)| places[row] = Place::Above(i));
        Self { groups, above, places }
    }
}
