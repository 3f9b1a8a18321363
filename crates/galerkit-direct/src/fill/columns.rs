//! Columns of L and rows of U that LU can have at most, whatever the pivots: those of the QR factors of A, without a
//! number of them (George, Ng 1985; counted as faer counts before it chooses between single columns and blocks of
//! them).

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::perm::PermRef;
use faer::sparse::linalg::{colamd, qr};
use faer::sparse::{SymbolicSparseColMat, SymbolicSparseColMatRef};

/// What was counted.
pub(super) struct Counted {
    pub(super) entries: f64,
    pub(super) multiplications: f64,
}

/// The columns of L, and the column that each is merged into; rows of U.
struct Columns {
    /// The first column that a row of A has an entry in, in the order of elimination; negative: none.
    first: Vec<usize>,
    parent: Vec<usize>,
    of_u: Vec<usize>,
}

/// Counts for the rows of a square matrix.
pub(super) fn count(start: &[u64], col: &[u32]) -> Option<Counted> {
    let rows = start.len() - 1;
    let mut counted = Counted { entries: 0.0, multiplications: 0.0 };
    if rows == 0 {
        return Some(counted);
    }
    let columns = Columns::of(start, col)?;
    let is_one = |&j: &usize| (j as isize) >= 0;
    let mut of_l = vec![0_usize; rows];
    columns.first.iter().copied().filter(is_one).for_each(|j| of_l[j] += 1);
    for (j, &of_u) in columns.of_u.iter().enumerate() {
        // What is left of a column when its pivot is taken goes where it is next eliminated.
        if let Some(parent) = Some(columns.parent[j]).filter(is_one) {
            of_l[parent] += of_l[j].saturating_sub(1);
        }
        counted.entries += (of_l[j] + of_u) as f64;
        counted.multiplications += of_l[j] as f64 * of_u as f64;
    }
    Some(counted)
}

impl Columns {
    fn of(start: &[u64], col: &[u32]) -> Option<Self> {
        let rows = start.len() - 1;
        let start: Vec<usize> = start.iter().map(|&s| s as usize).collect();
        let col: Vec<usize> = col.iter().map(|&j| j as usize).collect();
        let transposed = SymbolicSparseColMatRef::new_checked(rows, rows, &start, None, &col);
        let A: SymbolicSparseColMat<usize> = transposed.transpose().to_col_major().ok()?;
        let scratch = colamd::order_scratch::<usize>(rows, rows, col.len())
            .or(qr::col_etree_scratch::<usize>(rows, rows))
            .or(qr::postorder_scratch::<usize>(rows))
            .or(qr::column_counts_aat_scratch::<usize>(rows, rows));
        let mut memory = MemBuffer::try_new(scratch).ok()?;
        let stack = MemStack::new(&mut memory);
        let [mut order, mut inverse, mut parent, mut post, mut of_u, mut first] = [(); 6].map(|()| vec![0; rows]);
        colamd::order(&mut order, &mut inverse, A.as_ref(), colamd::Control::default(), stack).ok()?;
        let order = PermRef::new_checked(&order, &inverse, rows);
        let tree = qr::col_etree(A.as_ref(), Some(order), &mut parent, stack);
        qr::postorder(&mut post, tree, stack);
        qr::column_counts_ata(&mut of_u, &mut first, transposed, Some(order), tree, &post, stack);
        Some(Self { first, parent, of_u })
    }
}
