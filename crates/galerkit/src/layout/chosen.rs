//! What was picked, with the reason.

/// A choice and why it was made.
///
/// ```
/// use galerkit::layout::Layout;
/// use galerkit::prelude::*;
///
/// let A = galerkit::load("gallery:poisson2d?n=10")?.into_real()?;
/// let layout = Layout::new(&A, Ordering::Rcm, Choice::Auto, Device::Reference)?;
/// assert_eq!((layout.ordering.value, layout.ordering.reason.as_str()), (Ordering::Rcm, "asked for"));
/// assert_eq!(layout.format.value, Format::Csr);
/// # Ok::<(), galerkit::Error>(())
/// ```
pub struct Chosen<T> {
    /// What was chosen.
    pub value: T,
    /// Why, in words for the report.
    pub reason: String,
}

impl<T> Chosen<T> {
    pub(crate) fn new(value: T, reason: impl Into<String>) -> Self {
        Self { value, reason: reason.into() }
    }
}
