//! Residual and tangent as they are assembled: Newton's sequence, central differences, symmetry, the step that keeps it
//! definite.

use super::*;
use crate::cardiac::cell::{AlievPanfilov, UNIT};
use crate::cardiac::geometry::slab;
use crate::cardiac::tissue::Conductivity;
use galerkit_linalg::engine::{Recorded, reference_executor};
use galerkit_linalg::random::Random;

/// A dice of tissue with oblique fibres, and what stands before a step from random data.
fn begun(dt: f64) -> (Machine, Equations<Machine, AlievPanfilov>, Matrices, Vec<f64>) {
    let mesh = slab([4.0, 3.0, 3.0], 1.0).unwrap();
    let tissue =
        Tissue::new(&mesh, Conductivity { iso: 0.3, ani: 0.7 }).unwrap().with_fibre([0.6, 0.48, 0.64]).unwrap();
    let (mut e, matrices) = (Recorded::over(reference_executor()), Matrices::new(&tissue).unwrap());
    let settings = Settings { dt, rtol: 1e-15, ..Settings::default() };
    let mut equations = equations(&mut e, &tissue, &matrices, AlievPanfilov::default(), &settings).unwrap();
    let mut random = Random::new(7);
    let mut some = |n: usize| (0..n).map(|_| random.unit()).collect::<Vec<f64>>();
    let (phi, before, r) = (some(tissue.points().len()), some(tissue.points().len()), some(tissue.elements()));
    e.write(&mut equations.phi_before, &before);
    e.write(&mut equations.r_before, &r);
    e.apply_map(&equations.to_elements, &equations.phi_before, &mut equations.centre_before);
    (e, equations, matrices, phi)
}

/// Spec 06 section 2: from random data in [0, 1] residuals fall as 1.9e+2, 4.8e-1, 4.7e-4, 5.3e-10, 3e-14: each below
/// the square of the one before, times one constant, down to rounding.
#[test]
fn newtons_residuals_fall_quadratically() {
    let dt = 0.05 * UNIT;
    let (mut e, mut equations, _, phi) = begun(dt);
    let (mut phi, per_step) = (e.upload(&phi), e.number(1.0 / dt));
    let start = equations.evaluate(&mut e, &phi, per_step);
    let mut norms = vec![e.value(start)];
    for _ in 0..4 {
        equations.assemble(&mut e);
        let zero = e.zeros_like(&equations.correction);
        e.copy(&zero, &mut equations.correction);
        let linear = equations.linear.clone();
        let Equations { tangent, inverse, residual, correction, .. } = &mut equations;
        let _ = cg(&mut e, tangent, inverse, residual, correction, &linear);
        let (minus, per_step) = (e.number(-1.0), e.number(1.0 / dt));
        e.axpy(minus, &equations.correction, &mut phi);
        let norm = equations.evaluate(&mut e, &phi, per_step);
        norms.push(e.value(norm));
    }
    println!("{norms:?}");
    let constants: Vec<f64> = norms.windows(2).map(|pair| pair[1] / (pair[0] * pair[0])).collect();
    assert!(norms[0] > 1.0 && norms[4] < 1e-13 * norms[0], "{norms:?}");
    assert!(norms[..4].is_sorted_by(|a, b| *b < 0.05 * a), "{norms:?}");
    assert!(constants[..3].iter().all(|constant| *constant < 0.5), "{norms:?}: {constants:?}");
}

/// Spec 06 section 6: the assembled tangent against central differences of the assembled residual, 1e-6 relative; and
/// it is symmetric, bit for bit.
#[test]
fn the_assembled_tangent_is_symmetric_and_the_derivative() {
    let dt = 0.05 * UNIT;
    let (mut e, mut equations, matrices, phi) = begun(dt);
    let mut random = Random::new(9);
    let direction: Vec<f64> = phi.iter().map(|_| random.unit() - 0.5).collect();
    let residual = |e: &mut Machine, equations: &mut Equations<Machine, AlievPanfilov>, h: f64| {
        let moved: Vec<f64> = phi.iter().zip(&direction).map(|(x, v)| x + h * v).collect();
        let (moved, per_step) = (e.upload(&moved), e.number(1.0 / dt));
        let _ = equations.evaluate(e, &moved, per_step);
        e.download(&equations.residual)
    };
    let h = 1e-5;
    let (up, down) = (residual(&mut e, &mut equations, h), residual(&mut e, &mut equations, -h));
    let _ = residual(&mut e, &mut equations, 0.0);
    equations.assemble(&mut e);
    let (v, mut product) = (e.upload(&direction), e.zeros_like(&equations.residual));
    e.apply_map(&equations.tangent, &v, &mut product);
    let found = e.download(&product);
    let size = found.iter().map(|x| x * x).sum::<f64>().sqrt();
    let difference = |i: usize| (up[i] - down[i]) / (2.0 * h) - found[i];
    let apart = (0..found.len()).map(|i| difference(i).powi(2)).sum::<f64>().sqrt();
    assert!(apart < 1e-6 * size, "{apart:e} of {size:e}");

    let K = &matrices.K;
    let numbers: Vec<f64> = (1..=K.nnz()).map(|k| k as f64).collect();
    let numbered = e.load(Box::new(Matrix::from_csr(&K.with_values(&numbers), FORMAT).unwrap()));
    let (entry_of, slots) = (e.download(&numbered.values), e.download(&equations.tangent.values));
    let mut values = vec![0.0; K.nnz()];
    entry_of
        .iter()
        .zip(slots)
        .filter(|(entry, _)| **entry > 0.0)
        .for_each(|(entry, x)| values[*entry as usize - 1] = x);
    let A = K.with_values(&values);
    for i in 0..A.rows() {
        assert!(A.row(i).all(|(j, a)| A.get(j, i) == Some(a)), "row {i}");
    }
}

/// Spec 06 section 2: without recovery the reaction leaves the tangent definite below 0.3787 units of time, and not
/// much above.
#[test]
fn steps_below_a_known_length_are_definite() {
    let cell = AlievPanfilov::default();
    let least = |dt: f64| {
        let slope = |k: i32| 1.0 / (dt * UNIT) - cell.slopes(f64::from(k) * 1e-3, 0.0)[0][0];
        (0..=1000).map(slope).fold(f64::INFINITY, f64::min)
    };
    assert!(least(0.3786) > 0.0 && least(0.3788) < 0.0, "{} {}", least(0.3786), least(0.3788));
}

/// Where it is not, CG meets negative curvature: the step is taken again with half the length, and the run goes on.
#[test]
fn negative_curvature_halves_the_step() {
    let tissue = Tissue::new(&slab([3.0, 2.0, 2.0], 1.0).unwrap(), Conductivity { iso: 1.0, ani: 0.0 }).unwrap();
    let (mut e, matrices) = (Recorded::over(reference_executor()), Matrices::new(&tissue).unwrap());
    let settings = Settings { dt: UNIT, ..Settings::default() };
    let mut run = Newton::new(&mut e, &tissue, &matrices, AlievPanfilov::default(), &settings).unwrap();
    let uneven: Vec<f64> = tissue.points().iter().map(|x| 0.3 + 0.02 * x[0]).collect();
    e.write(run.phi(), &uneven);
    run.run_until(&mut e, UNIT, false).unwrap();
    let counts = run.counts(&mut e);
    assert!(counts.failed_steps > 0 && counts.steps > 1, "{counts:?}");
    assert!(e.download(run.phi()).iter().all(|phi| (0.3..1.2).contains(phi)));
}
