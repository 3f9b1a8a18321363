//! Assembly: `values = S k`, element contributions summed into the slots of any format, in the order of the elements.

use super::{on_every_engine, on_everything, stored};
use galerkit_linalg::backend::{Cpu, Reference};
use galerkit_linalg::engine::{Engine, Immediate, Recorded};
use galerkit_linalg::gallery::Random;
use galerkit_linalg::krylov::Stop;
use galerkit_linalg::map::GatherSums;
use galerkit_linalg::sparse::{Coo, Csr, Format, Matrix};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::{bits, problems};

/// Elements of four nodes each, and their matrices, one after another and by rows.
struct Mesh<S> {
    nodes: usize,
    elements: Vec<[usize; 4]>,
    k: Vec<S>,
}

impl<S: Scalar> Mesh<S> {
    fn new(nodes: usize, elements: usize) -> Self {
        let mut random = Random::new(4);
        let mut element = || {
            let mut chosen = Vec::new();
            while chosen.len() < 4 {
                let node = (random.unit() * nodes as f64) as usize;
                if !chosen.contains(&node) {
                    chosen.push(node);
                }
            }
            [chosen[0], chosen[1], chosen[2], chosen[3]]
        };
        let elements: Vec<[usize; 4]> = (0..elements).map(|_| element()).collect();
        let k = problems::scattered(16 * elements.len(), 5);
        Self { nodes, elements, k }
    }

    /// Row and column of every contribution.
    fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        self.elements.iter().flat_map(|nodes| nodes.iter().flat_map(|&i| nodes.iter().map(move |&j| (i, j))))
    }

    /// All places where something is added, with zeros.
    fn pattern(&self) -> Csr<S> {
        let triples: Vec<_> = self.places().map(|(i, j)| (i, j, S::zero())).collect();
        Coo::from_triples(self.nodes, self.nodes, &triples).expect("nodes exist").to_csr().0
    }

    /// The entry of the pattern that each contribution is added to.
    fn entries(&self, pattern: &Csr<S>) -> Vec<usize> {
        let entry = |(i, j): (usize, usize)| {
            let range = pattern.range(i);
            range.start + pattern.col()[range].binary_search(&(j as u32)).expect("it is in the pattern")
        };
        self.places().map(entry).collect()
    }

    /// Contributions added one after the other.
    fn scattered(&self, pattern: &Csr<S>) -> Csr<S> {
        let mut A = pattern.clone();
        for (&k, entry) in self.k.iter().zip(self.entries(pattern)) {
            A.val_mut()[entry] += k;
        }
        A
    }

    /// The map that does the same for a stored matrix.
    fn sums(&self, pattern: &Csr<S>, A: &Matrix<S>) -> GatherSums {
        let slot_of = A.slot_of(pattern).expect("its own pattern");
        let slots: Vec<u32> = self.entries(pattern).into_iter().map(|entry| slot_of[entry] as u32).collect();
        GatherSums::into_slots(A.slots(), &slots).expect("every slot exists")
    }
}

fn assembles<E: Engine>(e: &mut E, mesh: &Mesh<E::Scalar>, formats: &[Format]) {
    let pattern = mesh.pattern();
    let expected = mesh.scattered(&pattern);
    let (k, x) = (e.upload(&mesh.k), e.upload(&problems::scattered(mesh.nodes, 6)));
    for &format in formats {
        let empty = stored(&pattern, format);
        let sums = e.load(Box::new(mesh.sums(&pattern, &empty)));
        let (mut A, oracle) = (e.load(Box::new(empty)), e.load(Box::new(stored(&expected, format))));
        e.apply_map(&sums, &k, &mut A.values);
        assert_eq!(bits(&e.download(&A.values)), bits(&e.download(&oracle.values)), "{format}");
        let [mut y, mut z] = e.vectors_like(&x);
        e.apply_map(&A, &x, &mut y);
        e.apply_map(&oracle, &x, &mut z);
        assert_eq!(bits(&e.download(&y)), bits(&e.download(&z)), "{format}");
    }
}

fn in_every_format<E: Engine>(e: &mut E) {
    assembles(e, &Mesh::new(25, 40), &Format::all());
}

#[test]
fn element_matrices_are_summed_into_every_format_in_their_order() {
    on_everything!(in_every_format);
}

/// More slots than one thread is given.
#[test]
fn sums_have_the_same_bits_on_one_and_two_threads() {
    let mesh = Mesh::<f64>::new(900, 1500);
    let formats: Vec<Format> = ["csr", "sell:8:1", "k2rs"].map(|name| name.parse().expect("a legal name")).into();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            in_every_format(&mut Immediate::<c64, _>::new(Cpu));
            in_every_format(&mut Recorded::<f32, _>::new(Cpu));
            assembles(&mut Immediate::new(Cpu), &mesh, &formats);
            assembles(&mut Recorded::new(Cpu), &mesh, &formats);
        });
    }
}

/// Twice the contributions inside a loop, between a product with the old values and one with the new.
#[test]
fn a_matrix_is_assembled_anew_in_every_iteration() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) -> Vec<(u64, u64)> {
        let mesh = Mesh::<f64>::new(25, 40);
        let pattern = mesh.pattern();
        let empty = stored(&pattern, Format::Csr);
        let sums = e.load(Box::new(mesh.sums(&pattern, &empty)));
        let mut A = e.load(Box::new(empty));
        let (mut k, x) = (e.upload(&mesh.k), e.upload(&problems::scattered(25, 6)));
        let [mut y, mut z] = e.vectors_like(&x);
        let (two, one) = (e.number(2.0), e.number(1.0));
        let stop = Stop { rtol: 0.0, limit: 3, ..Stop::default() };
        let _ = e.iterate(&stop, one, |e| {
            e.apply_map(&A, &x, &mut y);
            e.apply_map(&sums, &k, &mut A.values);
            e.apply_map(&A, &x, &mut z);
            e.scale(two, &mut k);
            e.norm(&z)
        });
        let (y, z) = (e.download(&y), e.download(&z));
        assert_eq!(
            bits(&z),
            bits(&y.iter().map(|y| 2.0 * y).collect::<Vec<_>>()),
            "the values of the iteration before"
        );
        bits(&z)
    }
    assert_eq!(test(&mut Immediate::new(Reference)), test(&mut Recorded::new(Reference)));
    assert_eq!(test(&mut Immediate::new(Cpu)), test(&mut Recorded::new(Cpu)));
}
