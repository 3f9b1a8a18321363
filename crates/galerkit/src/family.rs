//! The Krylov family at a glance: what each method is for, and what an iteration of it costs. An iteration is what the
//! monitor counts; where it takes several products with A, counts of iterations are no fair comparison, those of
//! products are. Reductions are the points where an iteration waits for sums over whole vectors; those next to each
//! other count as one, because engines fuse them.

use galerkit_linalg::krylov::Krylov;

/// What a method is for, and what an iteration of it costs.
///
/// ```
/// use galerkit::Krylov;
/// use galerkit::family::method_properties;
///
/// let cg = method_properties(Krylov::Cg);
/// assert_eq!((cg.products, cg.reductions, cg.vectors), (1, 2, 4));
/// assert!(!cg.flexible);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodProperties {
    /// The matrices it is for.
    pub suits: &'static str,
    /// Whether the preconditioner may change from iteration to iteration.
    pub flexible: bool,
    /// Vectors kept beside b and x; of those in single precision, in a method for double, two count as one.
    pub vectors: usize,
    /// Products with A in an iteration.
    pub products: usize,
    /// Reductions in an iteration.
    pub reductions: usize,
}

/// The properties of a method.
///
/// ```
/// use galerkit::Krylov;
/// use galerkit::family::method_properties;
///
/// assert_eq!(method_properties(Krylov::Bicgstab).products, 2);
/// ```
pub fn method_properties(method: Krylov) -> MethodProperties {
    let (suits, products, reductions) = match method {
        Krylov::Cg => ("Hermitian positive definite", 1, 2),
        Krylov::FlexibleCg => ("Hermitian positive definite", 1, 2),
        Krylov::PipelinedCg => ("Hermitian positive definite", 1, 1),
        Krylov::Minres => ("Hermitian, indefinite too", 1, 3),
        Krylov::Bicgstab => ("any", 2, 3),
        Krylov::Idr { .. } => ("any", 1, 2),
        Krylov::Gcr { .. } => ("most", 1, 3),
        Krylov::Orthodir { .. } => ("any", 1, 4),
        Krylov::Gmres { .. } => ("any", 1, 3),
        Krylov::CompressedGmres { .. } => ("any", 1, 3),
        Krylov::Fgmres { .. } => ("any", 1, 3),
        Krylov::Vpgcr { .. } => ("most", 1, 4),
    };
    MethodProperties { suits, flexible: method.is_flexible(), vectors: method.vectors(), products, reductions }
}

/// The same method with so many directions; none if it keeps no directions that could be fewer.
///
/// ```
/// use galerkit::Krylov;
/// use galerkit::family::with_directions;
///
/// assert_eq!(with_directions(Krylov::Gmres { restart: 30 }, 5), Some(Krylov::Gmres { restart: 5 }));
/// assert_eq!(with_directions(Krylov::Cg, 5), None);
/// ```
pub fn with_directions(method: Krylov, restart: usize) -> Option<Krylov> {
    directions(method).map(|_| method.with_restart(restart))
}

/// The directions that a method keeps, where it starts anew after so many.
///
/// ```
/// use galerkit::Krylov;
/// use galerkit::family::directions;
///
/// assert_eq!(directions(Krylov::Gmres { restart: 30 }), Some(30));
/// ```
pub fn directions(method: Krylov) -> Option<usize> {
    match method {
        Krylov::Gcr { restart }
        | Krylov::Orthodir { restart }
        | Krylov::Gmres { restart }
        | Krylov::CompressedGmres { restart }
        | Krylov::Fgmres { restart }
        | Krylov::Vpgcr { restart } => Some(restart),
        _ => None,
    }
}

/// Whether iterations differ with their place in a cycle.
pub(crate) fn is_cyclic(method: Krylov) -> bool {
    directions(method).is_some() || matches!(method, Krylov::Idr { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_what_was_set_and_nothing_else_changes() {
        for method in Krylov::ALL {
            let shorter = with_directions(method, 7);
            assert_eq!(shorter.is_some(), directions(method) == Some(30), "{method}");
            assert_eq!(shorter.and_then(directions), shorter.map(|_| 7));
            let name = |method: Krylov| method.to_string().split(':').next().map(str::to_string);
            assert!(shorter.is_none_or(|shorter| name(shorter) == name(method)));
            let properties = method_properties(method);
            assert!(properties.products >= 1 && properties.reductions >= 1 && properties.vectors >= 4, "{method}");
        }
    }
}
