//! Continuous hp spaces: all continuous functions whose restriction to cell e is a polynomial of degree p_e along each
//! axis.
//!
//! | file | what |
//! |---|---|
//! | [`entities`] | vertices, edges and faces of the cells: which hang in which, and the minimum rule |
//! | [`function`] | a reference from a local function to a global one |
//! | [`numbering`] | global numbers of the functions |
//! | [`row`] | combinations of functions |
//! | [`constraints`] | functions on hanging entities as combinations of others |
//! | [`hp`] | the space itself |
//! | [`embed`] | spaces of lower degree within spaces of higher degree |
//! | [`prolong`] | prolongation to a larger space, also on a finer forest |

pub mod constraints;
pub mod embed;
pub mod entities;
pub mod function;
pub mod hp;
pub mod numbering;
pub mod prolong;
pub mod row;

pub use constraints::Constraints;
pub use function::Function;
pub use hp::Space;
