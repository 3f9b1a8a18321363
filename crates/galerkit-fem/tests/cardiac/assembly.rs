//! Assembly of the tangent by sums into slots against scattering element by element.

use super::*;
use galerkit_cuda::{Settings as Cuda, executor, testing};
use galerkit_fem::cardiac::cell::Cell;
use galerkit_fem::cardiac::geometry::slab;
use galerkit_fem::cardiac::matrices::Incidence;
use galerkit_fem::cardiac::newton::assembly::{Assembly, Part};
use galerkit_linalg::engine::reference_executor;
use galerkit_linalg::sparse::Format;

fn small() -> (Tissue, Matrices, Vec<f64>) {
    let tissue = Tissue::new(&slab([3.0, 2.0, 2.0], 1.0).unwrap(), Conductivity { iso: 0.3, ani: 0.7 }).unwrap();
    let phi = tissue.points().iter().map(|x| 0.1 + 0.2 * x[0] + 0.05 * x[1] * x[2]).collect();
    let matrices = Matrices::new(&tissue).unwrap();
    (tissue, matrices, phi)
}

/// Without recovery kappa is known in closed form: K + sum of V/16 (1/dt - f_phi(phi_c)) over the elements of an entry,
/// added where it belongs.
fn scattered(tissue: &Tissue, matrices: &Matrices, phi: &[f64], dt: f64) -> Vec<f64> {
    let (cell, K) = (without_recovery(), &matrices.K);
    let mut values = K.val().to_vec();
    for e in 0..tissue.elements() {
        let nodes = tissue.nodes(e);
        let centre = nodes.iter().map(|&node| phi[node as usize]).sum::<f64>() / 4.0;
        let kappa = tissue.element(e).volume / 16.0 * (1.0 / dt - cell.slopes(centre, cell.rest()[1])[0][0]);
        for (i, j) in nodes.iter().flat_map(|&i| nodes.iter().map(move |&j| (i, j))) {
            let entry =
                K.range(i as usize).find(|&k| K.col()[k] == j).expect("the pattern has every pair of an element");
            values[entry] += kappa;
        }
    }
    values
}

fn assembled(mut e: AnyEngine<f64>, parts: &[Part]) -> Vec<f64> {
    let (tissue, matrices, phi) = small();
    let settings = newton::Settings { format: Format::Csr, ..newton::Settings::default() };
    let mut assembly = Assembly::new(&mut e, &tissue, &matrices, without_recovery(), &settings, &phi).unwrap();
    parts.iter().for_each(|&part| assembly.run(&mut e, part, 3));
    assembly.values(&mut e)
}

fn apart(one: &[f64], other: &[f64]) -> f64 {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Spec 06 section 3: the sums equal scattering to rounding, in one go and part by part, however often.
#[test]
fn sums_into_slots_equal_scattering() {
    let (tissue, matrices, phi) = small();
    let expected = scattered(&tissue, &matrices, &phi, newton::Settings::default().dt);
    let (whole, split) = (assembled(cpu(), &[Part::Both]), assembled(cpu(), &[Part::Elements, Part::Sums]));
    assert!(apart(&whole, &expected) < 1e-13, "{:e}", apart(&whole, &expected));
    assert_eq!(whole, split);
    assert!(apart(&whole, matrices.K.val()) > 1e-3, "the reaction counts");
}

/// Spec 06 section 3: a sum into the diagonal has a term for each element of the node, 24 for inner ones among Kuhn's
/// tetrahedra.
#[test]
fn inner_nodes_of_kuhns_tetrahedra_have_24_elements() {
    let tissue = Tissue::new(&slab([4.0; 3], 1.0).unwrap(), isotropic(1.0)).unwrap();
    let incidence = Incidence::new(&tissue);
    let is_inner = |x: &[f64; 3]| x.iter().all(|x| *x > 0.5 && *x < 3.5);
    let inner: Vec<usize> = (0..tissue.points().len()).filter(|&i| is_inner(&tissue.points()[i])).collect();
    assert_eq!(inner.len(), 27);
    assert!(inner.iter().all(|&i| incidence.of(i).len() == 24 && incidence.of(i).is_sorted()));
}

/// On a GPU, real or emulated, as by the reference.
#[test]
fn a_gpu_assembles_what_the_reference_does() {
    let Some(gpu) = testing::gpu() else { return };
    let there = assembled(Recorded::over(executor::<f64>(&gpu, Cuda::default()).unwrap()), &[Part::Both]);
    let reference = assembled(Recorded::over(reference_executor()), &[Part::Both]);
    assert!(apart(&there, &reference) < 1e-13, "{:e}", apart(&there, &reference));
}

/// What must move, counted by hand for 36 nodes, 72 tetrahedra and e entries: nodes of elements 8 * 73 + 4 * 288, their
/// state and results 8 * 6 * 72, phi 8 * 36; map of slots 8 (e + 1) + 4 * 16 * 72, values twice 16 e; map of the
/// diagonal 8 * 37 + 4 * 288, it and its inverse 16 * 36.
#[test]
fn bytes_are_those_of_inputs_maps_and_results() {
    let ((tissue, matrices, phi), mut e) = (small(), cpu());
    let settings = newton::Settings { format: Format::Csr, ..newton::Settings::default() };
    let assembly = Assembly::new(&mut e, &tissue, &matrices, Model::default(), &settings, &phi).unwrap();
    let entries = matrices.K.nnz();
    assert_eq!((tissue.points().len(), tissue.elements()), (36, 72));
    let elements = 8 * 73 + 4 * 288 + 8 * 6 * 72 + 8 * 36;
    let sums = 8 * (entries + 1) + 4 * 16 * 72 + 16 * entries + 8 * 37 + 4 * 288 + 16 * 36;
    assert_eq!(assembly.bytes(Part::Both), elements + sums);
    assert_eq!(assembly.bytes(Part::Elements), elements + 8 * 72);
    assert_eq!(assembly.bytes(Part::Sums), sums + 8 * 72);
}
