//! Closures inside loops: what shares a pass with them, what does not, and that the bits are the same.

use super::{LENGTHS, on_every_engine};
use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::{Engine, Entry, Immediate, Interpreter, Number, Recorded, Register, Test::Positive};
use galerkit_linalg::krylov::{Outcome, Stop};
use galerkit_linalg::program::{Instruction, Precision, Step};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::{bits, problems};

fn times(limit: usize) -> Stop {
    Stop { rtol: 0.0, limit, ..Stop::default() }
}

/// phi and r after some steps of a relaxation whose length is that of the last dot product, and the norms on the way.
fn relaxed<E: Engine>(e: &mut E, length: usize) -> (Vec<E::Scalar>, Vec<E::Scalar>, Vec<f64>) {
    let u = e.upload(&problems::scattered::<E::Scalar>(length, 1));
    let (mut phi, mut r) = (e.zeros_like(&u), e.zeros_like(&u));
    let (a, one) = (e.number(0.5), e.number(1.0));
    let step = e.carry(one);
    let run = e.iterate(&times(4), one, |e| {
        let number = step.get();
        e.pointwise([&mut phi, &mut r], [&u], |[phi, r], [u]| {
            let next = phi + E::Entry::scalar(number) * (u - phi);
            [next, E::Entry::select(next.abs().less(r.abs()), r, next * u)]
        });
        e.axpy(a, &phi, &mut r);
        let size = e.dot(&r, &r);
        step.set(one / (one + size));
        size.abs().sqrt() + one
    });
    (e.download(&phi), e.download(&r), run.history)
}

fn same<S: Scalar, B: Backend<S> + Clone>(backend: B) {
    for length in LENGTHS {
        let (phi, r, history) = relaxed(&mut Immediate::new(backend.clone()), length);
        let recorded = relaxed(&mut Recorded::new(backend.clone()), length);
        assert_eq!(history.len(), 5);
        assert_eq!((bits(&phi), bits(&r)), (bits(&recorded.0), bits(&recorded.1)), "{length} entries");
        assert_eq!(bits(&history), bits(&recorded.2), "{length} entries");
    }
}

#[test]
fn a_loop_of_closures_and_dot_products_has_the_same_bits_recorded() {
    same::<f32, _>(Reference);
    same::<f64, _>(Reference);
    same::<c32, _>(Cpu);
    same::<c64, _>(Cpu);
    same::<f32, _>(Cpu);
    same::<f64, _>(Cpu);
}

/// The instructions on vectors of each pass of the last loop.
fn passes(e: &Recorded<f64, Interpreter<f64, Cpu>>) -> Vec<Vec<Instruction>> {
    let steps = e.executor().plan(&e.program().instructions, 0).into_iter();
    let pass = |step| match step {
        Step::Group(group) => Some(group.instructions),
        Step::Instruction(it) => it.is_vector().then(|| vec![it]),
    };
    steps.filter_map(pass).collect()
}

#[test]
fn a_closure_shares_a_pass_with_the_update_and_the_dot_product_behind_it() {
    let mut e = Recorded::over(Interpreter::<f64, _>::new(Cpu));
    let _ = relaxed(&mut e, 100);
    let passes = passes(&e);
    assert_eq!(passes.len(), 1, "{passes:?}");
    use Instruction::{Axpy, Dot, Pointwise};
    assert!(matches!(passes[0][..], [Pointwise { .. }, Axpy { .. }, Dot { .. }]), "{passes:?}");
}

/// A number that the pass itself makes, another length, another precision.
#[test]
fn a_closure_begins_a_pass_of_its_own_where_it_must() {
    let mut e = Recorded::over(Interpreter::<f64, _>::new(Cpu));
    let (u, long) = (e.upload(&[1.0; 10]), e.upload(&[1.0; 11]));
    let (mut y, mut z) = (e.zeros_like(&u), e.zeros_like(&long));
    let mut low = e.zeros(10, Precision::Single);
    let one = e.number(1.0);
    let _ = e.iterate(&times(1), one, |e| {
        let size = e.dot(&u, &u);
        e.pointwise([&mut y], [&u], |[y], [u]| [y + u * Entry::scalar(size)]);
        e.pointwise([&mut z], [&long], |[z], [x]| [z + x]);
        e.pointwise([&mut low], [&u], |[y], [u]| [y + u]);
        one
    });
    assert_eq!(passes(&e).iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 1, 1]);
    assert_eq!((e.download(&y), e.download(&z), e.download(&low)), (vec![10.0; 10], vec![1.0; 11], vec![1.0; 10]));
}

/// Behind a failed test a closure changes nothing, and neither does it under a condition that does not ask for it.
#[test]
fn closures_heed_tests_and_conditions() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let u = e.upload(&[1.0, 2.0]);
        let [mut x, mut y, mut z] = e.vectors_like(&u);
        let (one, left) = (e.number(1.0), e.number(2.5));
        let left = e.carry(left);
        let _ = e.iterate(&times(10), one, |e| {
            e.pointwise([&mut x], [&u], |[x], [u]| [x + u]);
            left.set(left.get() - one);
            e.require(Positive(left.get()), Outcome::Breakdown);
            e.pointwise([&mut y], [&u], |[y], [u]| [y + u]);
            e.unless(Positive(left.get() - one), |e| e.pointwise([&mut z], [&u], |[z], [u]| [z + u]));
            one
        });
        let found = [&x, &y, &z].map(|x| e.download(x)[1]);
        assert_eq!(found, [6.0, 4.0, 2.0]);
    }
    on_every_engine!(test);
}
