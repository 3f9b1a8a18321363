//! What `--method` can be, for `solve --help`: the counts come from the methods themselves.

use galerkit::family::{directions, method_properties};
use galerkit::linalg::multigrid::amg::Amg;
use galerkit::linalg::precond::Preconditioner;
use galerkit::{InnerMethod, Krylov};
use std::fmt::Write;

/// A line for each method.
pub fn help() -> String {
    let mut text = String::from(
        "How it is solved. M directions are kept before a method starts anew (1 to 200, usually 30), a shadow space has \
         S dimensions (usually 4); vectors are those kept beside b and x\n",
    );
    let mut line = |name: &str, words: &str| {
        let _ = write!(text, "\n  {name:<13} {words}");
    };
    line("auto", "by symmetry, diagonal, size and free memory; a method that fails is followed by another");
    for method in Krylov::ALL {
        line(&pattern(method), &words(method));
    }
    line("lu", "sparse elimination with pivoting: any regular matrix");
    line("cholesky", "sparse elimination: Hermitian positive definite matrices");
    line("dense", "dense elimination: small matrices");
    text + "\n\n"
}

/// What `--precond` can be.
pub fn precond() -> String {
    format!(
        "What approximates the inverse of A: auto (amg where a large grid-like matrix says that it pays, else jacobi \
         where the diagonal suits the method, else none), {}.\n\n\
         amg is algebraic multigrid, for systems whose iterations grow with their size: amg (smoothed aggregation, for nearly everything), \
         amg:classical (strong or rotated anisotropy and convection; real matrices), amg:pairs (the cheapest set-up; fcg). KEY is one of \
         {}; cycle is V, W or K, precision same or f32, reuse none or aggregates (for new values of the same matrix).\n\n\
         Triangular solves are exact and in the order of the matrix, on every device, so that iterations are as many on \
         each. After the name of a factorisation, :swept:N has N Jacobi sweeps in place of each, :coloured stores the \
         rows colour by colour, :matched moves large entries to the diagonal and scales (as is done by itself where a \
         pivot is zero otherwise; not for cg and minres), and :auto takes on a GPU what is expected to be the fastest of \
         plain, swept and coloured, which the report names: ilu0:swept:3, ic0:coloured, ilu:1:auto. Variants take more \
         iterations as a rule, and on a GPU less time for each.\n\n\
         fcg, gcr, fgmres and vpgcr can have an inner solve, inner:METHOD[,rtol=R][,limit=N][,precond=NAME]. METHOD is one of \
         {}; jacobi and richardson are sweeps that stop by the residual, increments sweeps that stop by the increment. \
         R is the fraction of its right-hand side at which an inner solve stops (0.1), N the most iterations of one (10 \
         times the rows and 1000), NAME its own preconditioner (jacobi where that suits). vpgcr with another preconditioner \
         sweeps with that",
        Preconditioner::NAMES,
        Amg::OPTIONS,
        InnerMethod::NAMES
    )
}

/// `cg`, `gmres[:M]`, `idr[:S]`
fn pattern(method: Krylov) -> String {
    let text = method.to_string();
    match (text.split_once(':'), directions(method)) {
        (Some((name, _)), Some(_)) => format!("{name}[:M]"),
        (Some((name, _)), None) => format!("{name}[:S]"),
        (None, _) => text,
    }
}

fn words(method: Krylov) -> String {
    let properties = method_properties(method);
    let plural = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    format!(
        "{}{}: {} matrices; {}, {} and {} an iteration",
        title(method),
        if properties.flexible { " with a preconditioner that may change" } else { "" },
        properties.suits,
        plural(properties.vectors, "vector"),
        plural(properties.products, "product"),
        plural(properties.reductions, "reduction")
    )
}

fn title(method: Krylov) -> &'static str {
    match method {
        Krylov::Cg => "conjugate gradients",
        Krylov::FlexibleCg => "the same",
        Krylov::PipelinedCg => "the same with sums beside the product",
        Krylov::Minres => "minimal residuals",
        Krylov::Bicgstab => "stabilised biconjugate gradients",
        Krylov::Idr { .. } => "induced dimension reduction",
        Krylov::Gcr { .. } => "generalised conjugate residuals",
        Krylov::Orthodir { .. } => "orthogonal directions",
        Krylov::Gmres { .. } => "generalised minimal residuals",
        Krylov::CompressedGmres { .. } => {
            "the same with its basis in single precision, two vectors of which count as one"
        }
        Krylov::Fgmres { .. } => "generalised minimal residuals",
        Krylov::Vpgcr { .. } => {
            "generalised conjugate residuals around an inner solve (Jacobi sweeps unless --precond says)"
        }
    }
}
