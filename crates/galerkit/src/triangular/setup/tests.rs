use super::*;
use crate::choice::{Device, Preconditioning, Variant};
use crate::near_null::NearNull;
use crate::triangular_model::tests::properties;
use galerkit_linalg::gallery::{self, Built};
use galerkit_linalg::precond::Class;
use galerkit_linalg::sparse::Csr;
use galerkit_testkit::data_file;

fn real(name: &str) -> Csr<f64> {
    match gallery::build(name).unwrap() {
        Built::Real(A) => A,
        Built::Complex(_) => panic!("{name} is complex"),
    }
}

/// What an H200 would be given, factorised on the host and without times.
fn set_up_on_a_gpu<'a>(
    A: &'a Csr<f64>,
    name: &str,
    ordering: Choice<Ordering>,
    triangular: Choice<TriangularSolve>,
) -> Setup<'a, f64> {
    let (properties, asked) = (properties(), name.parse::<Preconditioning>().unwrap());
    let (named, variant) = (asked.named(), asked.variant());
    let tuner = Tuner::new(&properties, Autotuning::Timed);
    let (class, format, device) = (Class::General, Choice::Auto, Device::Cuda(0));
    set_up(
        MatrixRef::Rows(A),
        &Request {
            named,
            variant,
            class,
            triangular,
            ordering,
            format,
            device,
            limit: 10_000,
            is_inner: false,
            near_null: NearNull::default(),
        },
        Some(tuner),
        (None, None, None),
        &mut Stages::default(),
    )
    .unwrap()
}

#[test]
fn a_grid_is_swept_in_its_own_order() {
    let A = real("gallery:poisson2d?n=60");
    for (name, count) in [("ilu0:auto", 2), ("ilu:1:auto", 3), ("ic0:auto", 2), ("parilu0:3:auto", 2)] {
        let Setup { layout, preconditioner, solves } = set_up_on_a_gpu(&A, name, Choice::Auto, Choice::Auto);
        assert_eq!(solves.way, Some(TriangularSolve::Sweeps(count)), "{name}: {}", solves.reason);
        assert!(solves.reason.contains("by the model: sweeps:") && solves.reason.contains("steps)"), "{solves:?}");
        assert!(matches!(preconditioner.prepared, Prepared::Sweeps(M) if M.sweeps() == count), "{name}");
        assert_eq!(layout.ordering.value, Ordering::Natural);
        let ran = solves.variant_of(preconditioner.name, layout.ordering.value);
        assert_eq!(ran.to_string(), name.replace("auto", &format!("swept:{count}")));
        assert!(!solves.measured);
    }
}

/// The name alone means exact solves in the order of the matrix, whatever would be faster.
#[test]
fn a_plain_name_is_exact_in_the_order_of_the_matrix() {
    let A = real("gallery:poisson2d?n=60");
    for name in ["ilu0", "ilu:1", "ic0", "parilu0:3", "ssor:1.2", "ilu0-blocks:2"] {
        let Setup { layout, preconditioner, solves } = set_up_on_a_gpu(&A, name, Choice::Auto, Choice::Auto);
        assert_eq!((solves.way, layout.ordering.value), (Some(TriangularSolve::Exact), Ordering::Natural), "{name}");
        assert!(layout.ordering.reason.contains("depends on the order"), "{name}: {}", layout.ordering.reason);
        assert!(matches!(preconditioner.prepared, Prepared::Map(_)), "{name}");
        let ran = solves.variant_of(preconditioner.name, layout.ordering.value);
        assert_eq!(ran.to_string(), name);
    }
}

/// The same pivots, but a lower triangle far from dominant: sweeps would not do, so it is colours; in a given order
/// solves stay exact.
#[test]
fn sweeps_that_are_far_off_are_not_taken() {
    let mut A = real("gallery:poisson2d?n=60");
    for i in 0..A.rows() {
        for k in A.range(i) {
            let away = i.cmp(&(A.col()[k] as usize)) as i32;
            A.val_mut()[k] *= 8f64.powi(away);
        }
    }
    let auto = Choice::Auto;
    let Setup { layout, preconditioner, solves } = set_up_on_a_gpu(&A, "ilu0:auto", Choice::Auto, auto);
    assert_eq!((solves.way, layout.ordering.value), (Some(TriangularSolve::Exact), Ordering::Colours), "{solves:?}");
    assert!(solves.reason.contains("sweeps are not trusted"), "{solves:?}");
    assert_eq!(layout.ordering.reason, solves.reason);
    assert!(matches!(preconditioner.prepared, Prepared::Map(_)));
    for ordering in [Ordering::Natural, Ordering::Rcm] {
        let Setup { layout, solves, .. } = set_up_on_a_gpu(&A, "ilu0:auto", ordering.into(), auto);
        assert_eq!((solves.way, layout.ordering.value), (Some(TriangularSolve::Exact), ordering), "{solves:?}");
        assert!(!solves.reason.contains("colours"), "{solves:?}");
    }
}

#[test]
fn a_given_order_or_a_given_way_is_kept() {
    let A = real("gallery:poisson2d?n=60");
    let kinds = |name: &str, ordering, triangular| {
        let Setup { layout, preconditioner, solves } = set_up_on_a_gpu(&A, name, ordering, triangular);
        let swept = match preconditioner.prepared {
            Prepared::Sweeps(M) => Some(M.sweeps()),
            _ => None,
        };
        (layout.ordering.value, solves.way.map_or("none".into(), |way| way.to_string()), swept)
    };
    let (auto, exact, four) = (Choice::Auto, TriangularSolve::Exact, TriangularSolve::Sweeps(4));
    let (natural, rcm, colours) = (Ordering::Natural, Ordering::Rcm, Ordering::Colours);
    assert_eq!(kinds("ilu0:auto", rcm.into(), auto), (rcm, "sweeps:2".into(), Some(2)));
    assert_eq!(
        kinds("ilu0:auto", colours.into(), auto),
        (colours, "exact".into(), None),
        "there is little to wait for"
    );
    assert_eq!(kinds("ilu0:auto", Choice::Auto, exact.into()), (colours, "exact".into(), None));
    assert_eq!(kinds("ic0", Choice::Auto, four.into()), (natural, "sweeps:4".into(), Some(4)));
    assert_eq!(kinds("ilu0-sweeps:3", Choice::Auto, auto), (natural, "sweeps:3".into(), Some(3)));
    assert_eq!(kinds("ilu0-blocks:2:auto", Choice::Auto, auto), (natural, "sweeps:2".into(), Some(2)));
    assert_eq!(kinds("ilu0-blocks:2:auto", Choice::Auto, exact.into()), (natural, "exact".into(), None), "no colours");
    assert_eq!(kinds("ssor:1:auto", Choice::Auto, auto), (colours, "exact".into(), None));
    assert_eq!(kinds("ilu0:coloured", Choice::Auto, auto), (colours, "exact".into(), None));
    assert_eq!(kinds("ilu:1:swept:4", Choice::Auto, auto), (natural, "sweeps:4".into(), Some(4)));
    assert_eq!(kinds("jacobi", Choice::Auto, auto), (natural, "none".into(), None));
}

/// In its own order this matrix has a pivot that is not positive, by colours it has none.
#[test]
fn a_factorisation_that_only_colours_have() {
    let Some(file) = data_file("suitesparse/bcsstk09.mtx.gz") else { return };
    let A = crate::load(&file.to_string_lossy()).unwrap().into_real().unwrap();
    let properties = properties();
    let tuner = Tuner::new(&properties, Autotuning::Modelled);
    let request = Request {
        named: Some(Preconditioner::Ilu { fill: 0 }),
        variant: Some(Variant::Auto),
        class: Class::PositiveDefinite,
        triangular: Choice::Auto,
        ordering: Choice::Auto,
        format: Choice::Auto,
        device: Device::Cuda(0),
        limit: 10_000,
        is_inner: false,
        near_null: NearNull::default(),
    };
    let Setup { layout, solves, .. } =
        set_up(MatrixRef::Rows(&A), &request, Some(tuner), (None, None, None), &mut Stages::default()).unwrap();
    assert_eq!((solves.way, layout.ordering.value), (Some(TriangularSolve::Exact), Ordering::Colours));
    assert!(solves.reason.contains("no factorisation: row"), "{solves:?}");
    let natural = Request { ordering: Ordering::Natural.into(), ..request };
    assert!(set_up(MatrixRef::Rows(&A), &natural, Some(tuner), (None, None, None), &mut Stages::default()).is_err());
}

#[test]
fn on_the_cpu_solves_are_exact() {
    let A = real("gallery:poisson2d?n=60");
    let (class, format, device) = (Class::General, Choice::Auto, Device::Cpu);
    let (ordering, triangular) = (Choice::Auto, Choice::Auto);
    let request = Request {
        named: Some(Preconditioner::Ilu { fill: 0 }),
        variant: Some(Variant::Auto),
        class,
        triangular,
        ordering,
        format,
        device,
        limit: 10_000,
        is_inner: false,
        near_null: NearNull::default(),
    };
    let Setup { preconditioner, solves, .. } =
        set_up(MatrixRef::Rows(&A), &request, None, (None, None, None), &mut Stages::default()).unwrap();
    assert!(solves.way == Some(TriangularSolve::Exact) && solves.reason.contains("on the CPU"), "{solves:?}");
    assert!(matches!(preconditioner.prepared, Prepared::Map(_)));
}
