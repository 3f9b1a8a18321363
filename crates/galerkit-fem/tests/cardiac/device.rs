//! The same programs on a GPU, real or emulated.

use super::*;
use galerkit_cuda::{Settings as Cuda, executor, testing};
use galerkit_fem::cardiac::Region;
use galerkit_fem::cardiac::geometry::slab;
use galerkit_fem::cardiac::stimulus::Action;
use galerkit_linalg::engine::reference_executor;
use galerkit_linalg::program::Precision;

/// Both schemes against the reference, 1e-9 in phi after 100 steps (spec 06 section 6); strang also with increments in
/// single precision.
#[test]
fn a_gpu_computes_what_the_reference_does() {
    let Some(gpu) = testing::gpu() else { return };
    let tissue = Tissue::new(&slab([3.0, 2.0, 2.0], 1.0).unwrap(), Conductivity { iso: 0.3, ani: 0.7 }).unwrap();
    let region = Region::Box([0.0; 3], [1.5, 2.0, 2.0]);
    let stimulus = Stimulus { region, action: Action::Potential(1.0), times: vec![0.0] };
    let on_gpu = || Recorded::over(executor::<f64>(&gpu, Cuda::default()).unwrap());
    let reference = || Recorded::over(reference_executor());
    let settings = |precision| {
        let rtol = if precision == Precision::Full { 1e-12 } else { 1e-6 };
        Settings { rtol, precision, ..Settings::default() }
    };
    let newton = newton::Settings { rtol: 1e-12, newton_rtol: 1e-11, ..newton::Settings::default() };
    let pairs = [
        [on_gpu(), reference()]
            .map(|e| strang(e, &tissue, Model::default(), &settings(Precision::Full), std::slice::from_ref(&stimulus))),
        [on_gpu(), reference()].map(|e| {
            strang(e, &tissue, Model::default(), &settings(Precision::Single), std::slice::from_ref(&stimulus))
        }),
        [on_gpu(), reference()]
            .map(|e| newton_run(e, &tissue, Model::default(), &newton, std::slice::from_ref(&stimulus))),
    ];
    for ([mut one, mut other], (allowed, steps)) in pairs.into_iter().zip([(1e-9, 100), (1e-5, 20), (1e-9, 100)]) {
        for run in [&mut one, &mut other] {
            run.run_until(0.25 * f64::from(steps)).unwrap();
        }
        let apart = one.phi().iter().zip(other.phi()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < allowed, "{}: {apart:e}", one.scheme());
        let excited = [one.observe().unwrap(), other.observe().unwrap()].map(|seen| seen.fraction_excited);
        assert_eq!(excited[0], excited[1]);
    }
}
