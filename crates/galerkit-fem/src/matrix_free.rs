//! The operator of a problem without its matrix: y = P^T (sum_e G_e^T B^T D B G_e) P x. P completes the unknowns by
//! hanging functions (0 where Dirichlet data fix a function), G_e gathers the local functions of cell e, B is their
//! gradient and value at quadrature points, by sum factorisation, D the integrand in reference coordinates, the same
//! that assembly takes.
//!
//! | file | what |
//! |---|---|
//! | `cells` | the cells: what their local functions gather, and which kind of product each has |
//! | `kind` | boxes, cells with stored factors, cells with a stored matrix |
//! | `factors` | D of every cell |
//! | `contraction` | matrices along one axis, for several cells side by side |
//! | `numbers` | tables, factors and constraints in one precision |
//! | `operator` | the operator, a linear map |
//! | `complex` | complex coefficients, and a sparse matrix beside cells |
//! | `tables` | the matrices of the interval that products of a kind use |
//! | `rows` | sparse rows: the constraints C and their transpose |
//! | `sums` | which local results a function sums, in a fixed order |
//! | `batch` | the product of several cells of one kind |
//! | `threads` | the product on threads |
//! | `reference` | the product in obvious loops |
//! | `diagonal` | the diagonal, for Jacobi |
//! | `spectrum` | a bound of the eigenvalues, for Chebyshev |
//! | `trilinear` | cells whose D follows from their vertices |
//! | `load` | the right-hand side, without a matrix |
//! | `system` | the system of a problem with it |
//! | `device`, `group`, `variant` | the product on a GPU; how threads share cells there; where there is a choice |

mod batch;
mod cells;
mod complex;
mod contraction;
mod device;
mod diagonal;
mod factors;
mod group;
mod kind;
mod load;
mod numbers;
mod operator;
mod reference;
mod rows;
mod spectrum;
mod sums;
mod system;
mod tables;
mod threads;
mod trilinear;
mod variant;

pub use operator::MatrixFree;
pub use variant::KernelVariant;
