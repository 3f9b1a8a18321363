//! The one place where ordering and format are picked, each with the reason that the report repeats.

mod chosen;
mod colours;
mod ordered;
mod reorder;
mod stored;

pub use chosen::Chosen;
use ordered::Ordered;
pub(crate) use reorder::Asked;
pub use stored::Stored;

use crate::choice::{Autotuning, Choice, Device, Ordering};
use crate::error::Result;
use crate::matrix::MatrixRef;
use crate::stages::{Stage, Stages};
use crate::uploaded::Uploaded;
use galerkit_cuda::launch::Properties;
use galerkit_cuda::tune::Plan;
use galerkit_linalg::sparse::{Csr, Format, Matrix, Pattern, Permutation, colouring, statistics};
use galerkit_linalg::{Scalar, per_scalar};

/// The matrix as the iterations see it: reordered, converted, with the way back.
///
/// ```
/// use galerkit::layout::Layout;
/// use galerkit::prelude::*;
///
/// let A = galerkit::load("gallery:poisson2d?n=10")?.into_real()?;
/// let layout = Layout::new(&A, Ordering::Rcm, Choice::Auto, Device::Cpu)?;
/// let b: Vec<f64> = (0..A.rows()).map(|i| i as f64).collect();
/// let inward = layout.inward(&b)?;
/// let order = layout.order.expect("another order");
/// assert_eq!(order.scatter(&inward)?, b);
/// # Ok::<(), galerkit::Error>(())
/// ```
pub struct Layout<'a, S: Scalar> {
    /// The matrix in the order of the iterations.
    pub(crate) ordered: Ordered<'a, S>,
    /// The matrix in its format.
    pub stored: Stored<S>,
    /// The matrix as it was brought to a GPU, where that is the order of the iterations.
    pub(crate) uploaded: Option<&'a Uploaded<S>>,
    /// Bytes of a GPU that are free again once everything is loaded.
    freed: usize,
    /// From the order of the input to that of the iterations, if they differ.
    pub order: Option<Permutation>,
    /// The same without what the format has sorted: the order that the matrix was stored from.
    pub(crate) stored_from: Option<Permutation>,
    /// Which order it is.
    pub ordering: Chosen<Ordering>,
    /// Which format it is.
    pub format: Chosen<Format>,
    /// What the tuner of a GPU thinks, where the format was left to it.
    pub plan: Option<Plan>,
}

/// The GPU to choose for, and how.
///
/// ```
/// use galerkit::cuda::launch::gpus;
/// use galerkit::layout::{Layout, Tuner};
/// use galerkit::prelude::*;
///
/// let A = galerkit::load("gallery:poisson2d?n=10")?.into_real()?;
/// for properties in gpus().unwrap_or_default() {
///     let tuner = Tuner::new(&properties, Autotuning::Modelled);
///     let layout = Layout::tuned(&A, Choice::Auto, Choice::Auto, Device::Cuda(0), Some(tuner))?;
///     println!("{}: {}", layout.format.value, layout.format.reason);
/// }
/// # Ok::<(), galerkit::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Tuner<'a> {
    /// The GPU.
    pub(crate) properties: &'a Properties,
    pub(crate) autotuning: Autotuning,
    /// Whether rows may be stored colour by colour for exact triangular solves, where that is faster: another
    /// preconditioner.
    pub(crate) may_colour: bool,
}

impl<'a> Tuner<'a> {
    /// For a GPU.
    pub fn new(properties: &'a Properties, autotuning: Autotuning) -> Self {
        Self { properties, autotuning, may_colour: false }
    }

    fn plan<S: Scalar>(self, A: MatrixRef<'_, S>) -> Plan {
        match self.autotuning {
            Autotuning::Timed => Plan::new(A.pattern(), S::KIND, self.properties),
            Autotuning::Modelled => Plan::by_model(A.pattern(), S::KIND, self.properties),
        }
    }
}

per_scalar! {
    fn in_order<'a, S>(
        A: MatrixRef<'a, S>,
        picked: (Chosen<Ordering>, Option<Permutation>),
        format: Choice<Format>,
        device: Device,
        there: (Option<Tuner<'_>>, Option<&'a Uploaded<S>>),
        stages: &mut Stages,
    ) -> Result<Layout<'a, S>> = Layout::convert;
    fn pick_ordering<S>(
        A: MatrixRef<'_, S>,
        asked: Asked<'_>,
        tuner: Option<Tuner<'_>>,
        stages: &mut Stages,
    ) -> Result<(Chosen<Ordering>, Option<Permutation>)> = picked_ordering;
}

impl<'a, S: Scalar> Layout<'a, S> {
    /// Picks what was left open and converts, without a tuner.
    pub fn new(
        A: &'a Csr<S>,
        ordering: impl Into<Choice<Ordering>>,
        format: impl Into<Choice<Format>>,
        device: Device,
    ) -> Result<Self> {
        Self::tuned(A, ordering.into(), format.into(), device, None)
    }

    /// Picks what was left open and converts; an order by the bytes of a product, because nothing is known of a solve.
    pub fn tuned(
        A: &'a Csr<S>,
        ordering: Choice<Ordering>,
        format: Choice<Format>,
        device: Device,
        tuner: Option<Tuner<'_>>,
    ) -> Result<Self> {
        let asked = Asked { ordering, keeps: None, limit: None, gpu: None };
        Self::timed(MatrixRef::Rows(A), asked, format, device, (tuner, None), &mut Stages::default())
    }

    /// The same for a solve, with what it is spent on.
    pub(crate) fn timed(
        A: MatrixRef<'a, S>,
        asked: Asked<'_>,
        format: Choice<Format>,
        device: Device,
        there: (Option<Tuner<'_>>, Option<&'a Uploaded<S>>),
        stages: &mut Stages,
    ) -> Result<Self> {
        let picked = pick_ordering(A, asked, there.0, stages)?;
        Self::in_order(A, picked, format, device, there, stages)
    }

    /// Picks the format and converts, in an order that has been picked.
    pub(crate) fn in_order(
        A: MatrixRef<'a, S>,
        picked: (Chosen<Ordering>, Option<Permutation>),
        format: Choice<Format>,
        device: Device,
        there: (Option<Tuner<'_>>, Option<&'a Uploaded<S>>),
        stages: &mut Stages,
    ) -> Result<Self> {
        in_order(A, picked, format, device, there, stages)
    }

    fn convert(
        A: MatrixRef<'a, S>,
        (ordering, mut order): (Chosen<Ordering>, Option<Permutation>),
        format: Choice<Format>,
        device: Device,
        (tuner, uploaded): (Option<Tuner<'_>>, Option<&'a Uploaded<S>>),
        stages: &mut Stages,
    ) -> Result<Self> {
        let mut permuted = match &order {
            Some(order) => {
                let rows = A.host_in(stages)?;
                Some(stages.time(Stage::Conversion, || rows.permute_symmetric(order))?)
            }
            None => None,
        };
        let ordered = permuted.as_ref().map_or(A, MatrixRef::Rows);
        let tuner = tuner.filter(|_| format == Choice::Auto);
        let plan = tuner.map(|tuner| stages.time(Stage::Tuning, || tuner.plan(ordered)));
        let format = match &plan {
            Some(plan) => Chosen::new(plan.first.format, plan.reason()),
            None => stages.time(Stage::Statistics, || pick_format(ordered.pattern(), format, device)),
        };
        let tuning = plan.as_ref().map(|plan| plan.first.tuning).unwrap_or_default();
        let on_gpu = match (uploaded, &order) {
            (Some(there), None) => stages.time(Stage::Conversion, || there.stored(format.value, &tuning))?,
            (Some(there), Some(_)) => match there.with(ordered.host_in(stages)?, stages) {
                Some(there) => stages.time(Stage::Conversion, || there.stored(format.value, &tuning))?,
                None => None,
            },
            (None, _) => None,
        };
        let stored = match on_gpu {
            Some(map) => Stored::Gpu(Box::new(map)),
            None => {
                let rows = ordered.host_in(stages)?;
                Stored::Host(Box::new(stages.time(Stage::Conversion, || Matrix::from_csr(rows, format.value))?))
            }
        };
        let stored_from = order.clone();
        if let Stored::Host(matrix) = &stored
            && let Some(sorted) = matrix.order()
        {
            let rows = ordered.host()?;
            permuted = Some(stages.time(Stage::Conversion, || rows.permute_symmetric(sorted))?);
            order = Some(match order {
                Some(first) => compose(&first, sorted)?,
                None => sorted.clone(),
            });
        }
        let freed = uploaded.map_or(0, |there| there.rows.bytes());
        let uploaded = uploaded.filter(|_| order.is_none());
        let ordered = Ordered { given: A, permuted };
        Ok(Self { ordered, stored, uploaded, freed, order, stored_from, ordering, format, plan })
    }

    /// The matrix in the order of the iterations, on the host; preconditioners are built from it.
    pub fn ordered(&self) -> Result<&Csr<S>> {
        self.ordered.view().host()
    }

    /// The matrix on the host, in its format.
    pub fn into_matrix(self) -> Result<Matrix<S>> {
        match self.stored {
            Stored::Host(matrix) => Ok(*matrix),
            Stored::Gpu(_) => Ok(Matrix::from_csr(self.ordered()?, self.format.value)?),
        }
    }

    /// Bytes of a GPU that what is loaded need not find free: taken already, or freed soon.
    pub(crate) fn on_gpu(&self) -> usize {
        self.stored.on_gpu() + self.freed
    }

    /// A vector in the order of the iterations.
    pub fn inward(&self, x: &[S]) -> Result<Vec<S>> {
        Ok(match &self.order {
            Some(order) => order.gather(x)?,
            None => x.to_vec(),
        })
    }
}

/// First one reordering, then another of its result.
fn compose(first: &Permutation, second: &Permutation) -> Result<Permutation> {
    let old = second.old().iter().map(|&s| first.old()[s as usize]).collect();
    Ok(Permutation::from_old(old)?)
}

/// Which order, and if it is a new one, that.
fn picked_ordering<S: Scalar>(
    A: MatrixRef<'_, S>,
    asked: Asked<'_>,
    tuner: Option<Tuner<'_>>,
    stages: &mut Stages,
) -> Result<(Chosen<Ordering>, Option<Permutation>)> {
    Ok(match (asked.ordering, asked.keeps) {
        (Choice::Given(given @ Ordering::Natural), _) => (Chosen::new(given, "asked for"), None),
        (Choice::Given(given @ Ordering::Rcm), _) => {
            let order = stages.time(Stage::Ordering, || reorder::rcm(A.host()?, asked.gpu))?;
            (Chosen::new(given, "asked for"), Some(order))
        }
        (Choice::Given(given @ Ordering::Colours), _) => {
            let colouring = stages.time(Stage::Colouring, || A.host().and_then(|A| Ok(colouring(A)?)))?;
            (Chosen::new(given, format!("asked for: {} colours", colouring.count())), Some(colouring.order()))
        }
        (Choice::Auto, Some(name)) => {
            (Chosen::new(Ordering::Natural, format!("{name} depends on the order of the rows, and keeps it")), None)
        }
        (Choice::Auto, None) => {
            let weighed = stages.time(Stage::Ordering, || reorder::weigh(A, asked))?;
            let picked = if weighed.value.is_some() { Ordering::Rcm } else { Ordering::Natural };
            let other = match tuner.filter(|tuner| tuner.may_colour) {
                Some(tuner) => stages
                    .time(Stage::Colouring, || colours::better(A.host()?, weighed.value.as_ref(), tuner.properties))?,
                None => None,
            };
            match other {
                Some(colours) => (Chosen::new(Ordering::Colours, colours.reason), Some(colours.value)),
                None => (Chosen::new(picked, weighed.reason), weighed.value),
            }
        }
    })
}

/// Compressed rows for the reference; elsewhere sliced ELL where it hardly pads. On a GPU only where no tuner is asked.
fn pick_format(A: &dyn Pattern, choice: Choice<Format>, device: Device) -> Chosen<Format> {
    match (choice, device) {
        (Choice::Given(format), _) => Chosen::new(format, "asked for"),
        (Choice::Auto, Device::Reference) => Chosen::new(Format::Csr, "the reference loop reads rows"),
        (Choice::Auto, Device::Cpu) => pick_sliced(A, 8),
        (Choice::Auto, Device::Cuda(_)) => pick_sliced(A, 32),
    }
}

/// The format of a matrix that nobody has chosen one for, in slices of this height where they hardly pad.
pub(crate) fn sliced(A: &dyn Pattern, height: usize) -> Format {
    pick_sliced(A, height).value
}

/// Slices as high as the SIMD width or a warp; sorted in windows only where that saves padding, because putting rows
/// back costs a little too.
fn pick_sliced(A: &dyn Pattern, height: usize) -> Chosen<Format> {
    const MOST_PADDING: f64 = 1.1;
    const SORTING_GAIN: f64 = 1.02;
    let (plain, sorted) = (Format::Sell { height, sigma: 1 }, Format::Sell { height, sigma: 256 });
    let padding = |format| statistics::predicted_slots(A, format) as f64 / A.nnz().max(1) as f64;
    let plain_padding = padding(plain);
    // Sorting cannot get below one slot an entry, so rows of equal length need not be sorted to see what that gains.
    let sorted_padding = if plain_padding <= SORTING_GAIN { plain_padding } else { padding(sorted) };
    if sorted_padding > MOST_PADDING {
        let reason = format!("rows of uneven length: sliced ELL would take {sorted_padding:.2} slots an entry");
        Chosen::new(Format::Csr, reason)
    } else if plain_padding <= SORTING_GAIN * sorted_padding {
        Chosen::new(plain, format!("rows of similar length: {plain_padding:.2} slots an entry"))
    } else {
        Chosen::new(sorted, format!("rows of similar length once sorted: {sorted_padding:.2} slots an entry"))
    }
}
