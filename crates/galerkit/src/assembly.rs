//! [`Assembly`]: how the entries of a prepared matrix are computed where it is solved with, recorded once and run
//! often.

use crate::solver::machine;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine as _, Held, Routine};
use galerkit_linalg::program::Vector;

/// The engine of a prepared system: what closures that compute entries speak to, in the verbs of
/// [`linalg::engine::Engine`](galerkit_linalg::engine::Engine), wherever the system is solved.
pub type Engine<S> = machine::Engine<S>;

/// A vector of such an engine, on a GPU in its memory.
pub type DeviceVector = Held<Vector>;

/// The verbs that compute entries from some inputs.
type Record<S> = dyn Fn(&mut Engine<S>, &[DeviceVector], &mut DeviceVector) + Send;

/// How the entries of a matrix are computed from some vectors, for [`System::assemble`](crate::System::assemble). The
/// closure is called once, before the first use by a system and again after that was prepared anew; what it says is
/// compiled then. What it uploads or loads is there from then on; the inputs are vectors that come from the host each
/// time.
///
/// ```
/// use galerkit::Assembly;
/// use galerkit::linalg::engine::Engine;
/// use galerkit::prelude::*;
///
/// // A = M + dt K for time steps dt: M and K stay on the device, dt comes as a vector of one entry for each of A's.
/// let K = galerkit::load("gallery:poisson2d?n=12")?.into_real()?;
/// let M: Vec<f64> = K.val().iter().map(|&k| if k > 0.0 { 1.0 } else { 0.0 }).collect();
/// let k = K.val().to_vec();
/// let mut assembly = Assembly::new(move |e, inputs, entries| {
///     let (m, k) = (e.upload(&M), e.upload(&k));
///     e.pointwise([entries], [&m, &k, &inputs[0]], |[_], [m, k, dt]| [m + dt * k]);
/// });
/// let mut system = Solver::new().method(Krylov::Cg).prepare(&K)?;
/// system.write_rhs(&vec![1.0; K.rows()])?;
/// for step in 1..4 {
///     let dt = vec![0.1 * f64::from(step); K.nnz()];
///     system.assemble(&mut assembly, &[&dt])?;
///     assert!(system.solve_in_place(Start::Last)?.converged);
/// }
/// # Ok::<(), galerkit::Error>(())
/// ```
pub struct Assembly<S: Scalar> {
    record: Box<Record<S>>,
    recorded: Option<Compiled>,
}

/// What was compiled for the entries of a system.
struct Compiled {
    entries: DeviceVector,
    inputs: Vec<DeviceVector>,
    routine: Routine,
}

impl<S: Scalar> Assembly<S> {
    /// From what computes the entries, in the order of the matrix's compressed rows: an engine, the inputs, and the
    /// vector of entries, which has those of the moment.
    pub fn new(record: impl Fn(&mut Engine<S>, &[DeviceVector], &mut DeviceVector) + Send + 'static) -> Self {
        Self { record: Box::new(record), recorded: None }
    }

    /// Computes the entries.
    pub(crate) fn run(&mut self, e: &mut Engine<S>, entries: &mut DeviceVector, inputs: &[&[S]]) {
        if self.recorded.as_ref().is_none_or(|compiled| !compiled.serves(entries, inputs)) {
            let uploaded: Vec<DeviceVector> = inputs.iter().map(|input| e.upload(input)).collect();
            let routine = e.compile(|e| {
                (self.record)(e, &uploaded, entries);
                Vec::new()
            });
            self.recorded = Some(Compiled { entries: entries.clone(), inputs: uploaded, routine });
        }
        let Some(compiled) = &mut self.recorded else { return };
        compiled.inputs.iter_mut().zip(inputs).for_each(|(vector, input)| e.write(vector, input));
        let _ = e.run(&compiled.routine);
    }
}

impl Compiled {
    /// Whether it was compiled for these entries, and inputs of these lengths.
    fn serves<S>(&self, entries: &DeviceVector, inputs: &[&[S]]) -> bool {
        let lengths = self.inputs.iter().map(|input| input.name().length);
        self.entries.is(entries) && lengths.eq(inputs.iter().map(|input| input.len()))
    }
}
