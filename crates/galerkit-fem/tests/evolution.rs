//! Hermite collocation in time: exact solutions, orders, the law of mass, and four ways to solve that agree (spec 05,
//! sections 4, 5, 7, 8).

use crate::collocation::{plain, two_layers};
use galerkit_fem::collocation::modes::Modes;
use galerkit_fem::collocation::{
    Clock, Collocation, EulerLength, Evolution, Layers, Line, Measured, Method, Scheme, Settings, Source, Start, Step,
};
use galerkit_linalg::engine::cpu_executor;
use std::f64::consts::PI;

pub const D: [f64; 2] = [1.0, 0.2];

pub fn settings(rho: f64, method: Method) -> Settings {
    Settings { rho, method, rtol: 1e-12, threshold: None }
}

pub fn evolution(space: &Collocation, settings: Settings, a: &[f64]) -> Evolution {
    Evolution::new(cpu_executor(), space, settings, a).unwrap()
}

fn follow(evolution: &mut Evolution, clock: &Clock) -> Vec<Measured> {
    let legs = clock.legs().unwrap();
    legs.iter().flat_map(|leg| evolution.advance(leg.step, leg.count).unwrap()).collect()
}

pub fn clock(dt: f64, end: f64) -> Clock {
    let (scheme, euler_length) = (Scheme::Dirk, EulerLength::Full);
    Clock { scheme, dt, end, euler_steps: 0, euler_length, outputs: Vec::new() }
}

fn root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if (f(low) > 0.0) == (f(middle) > 0.0) { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// phi and its derivative from the right on [0, 2], D k tan k summed over both sides zero; k may be imaginary.
struct Eigenfunction {
    lambda: f64,
    across: f64,
}

impl Eigenfunction {
    fn new(across: f64, low: f64, high: f64) -> Self {
        let side = |d: f64, lambda: f64| {
            let square = lambda / d - across * across;
            let k = square.abs().sqrt();
            if square >= 0.0 { d * k * k.tan() } else { -d * k * k.tanh() }
        };
        Self { lambda: root(|lambda| side(D[0], lambda) + side(D[1], lambda), low, high), across }
    }
    fn at(&self, x: f64) -> [f64; 2] {
        // cos(k x) and its derivative for a square of k of either sign
        let wave = |d: f64, x: f64| {
            let square = self.lambda / d - self.across * self.across;
            let k = square.abs().sqrt();
            if square >= 0.0 { [(k * x).cos(), -k * (k * x).sin()] } else { [(k * x).cosh(), k * (k * x).sinh()] }
        };
        if x < 1.0 {
            return wave(D[0], x);
        }
        let (scale, [value, slope]) = (wave(D[0], 1.0)[0] / wave(D[1], 1.0)[0], wave(D[1], 2.0 - x));
        [scale * value, -scale * slope]
    }
}

#[test]
fn eigenvalues_are_those_of_the_spec() {
    assert!((Eigenfunction::new(0.0, 0.5, 1.0).lambda - 0.748_663_008_145).abs() < 1e-11);
    assert!((Eigenfunction::new(PI, 2.3, 2.45).lambda - 2.402_119_302_169).abs() < 1e-11);
}

fn error_on_interval(n: usize, method: Method) -> f64 {
    let (phi, rho, end) = (Eigenfunction::new(0.0, 0.5, 1.0), 0.5, 0.1);
    let space = Collocation::interval(two_layers(n, D));
    let a = space.interpolated(|[x, _]| [phi.at(x)[0], phi.at(x)[1], 0.0, 0.0]);
    let mut evolution = evolution(&space, settings(rho, method), &a);
    follow(&mut evolution, &clock(end / 400.0, end));
    let a = evolution.coefficients();
    let growth = ((rho - phi.lambda) * end).exp();
    let errors = space.x().nodes().iter().zip(space.nodal()).map(|(x, k)| (a[k] - growth * phi.at(*x)[0]).abs());
    errors.fold(0.0, f64::max)
}

#[test]
fn two_layers_on_an_interval_have_the_errors_of_the_spec() {
    for (n, expected) in [(8, 7.60e-6), (16, 4.80e-7), (32, 3.01e-8)] {
        let error = error_on_interval(n, Method::Modal);
        assert!((error / expected - 1.0).abs() < 0.01, "{n}: {error:e}");
    }
    for method in [Method::Ilu, Method::Direct] {
        assert!((error_on_interval(8, method) / 7.60e-6 - 1.0).abs() < 0.01, "{method}");
    }
    let order = (error_on_interval(16, Method::Modal) / error_on_interval(32, Method::Modal)).log2();
    assert!((order - 4.0).abs() < 0.02, "{order}");
}

fn error_on_rectangle(n: usize) -> f64 {
    let (phi, rho, end) = (Eigenfunction::new(PI, 2.3, 2.45), 0.5, 0.05);
    let space = Collocation::rectangle(two_layers(n, D), plain([0.0, 1.0], n));
    let f = |[x, y]: [f64; 2]| {
        let ([f, slope], (sin, cos)) = (phi.at(x), (PI * y).sin_cos());
        [f * cos, slope * cos, -PI * f * sin, -PI * slope * sin]
    };
    let mut evolution = evolution(&space, settings(rho, Method::Modal), &space.interpolated(f));
    follow(&mut evolution, &clock(end / 100.0, end));
    let (a, growth, nodes) = (evolution.coefficients(), ((rho - phi.lambda) * end).exp(), n + 1);
    let exact = |k: usize| growth * f([space.x().nodes()[k / nodes], space.y().unwrap().nodes()[k % nodes]])[0];
    space.nodal().into_iter().enumerate().map(|(k, unknown)| (a[unknown] - exact(k)).abs()).fold(0.0, f64::max)
}

#[test]
fn two_layers_on_a_rectangle_have_the_errors_of_the_spec() {
    let errors = [(8, 5.99e-4), (16, 4.00e-5), (32, 2.54e-6)].map(|(n, expected)| {
        let error = error_on_rectangle(n);
        assert!((error / expected - 1.0).abs() < 0.01, "{n}: {error:e}");
        error
    });
    assert!((errors[1] / errors[2]).log2() > 3.9);
}

#[test]
fn smoothly_graded_meshes_keep_order_four() {
    let error = |n: usize| {
        let grade = |t: f64| t + 0.1 * (2.0 * PI * t).sin() / PI;
        let line = Line::mapped([0.0, 2.0], n, &Layers::equal(&D).unwrap(), grade).unwrap();
        let phi = Eigenfunction::new(0.0, 0.5, 1.0);
        let space = Collocation::interval(line);
        let a = space.interpolated(|[x, _]| [phi.at(x)[0], phi.at(x)[1], 0.0, 0.0]);
        let mut evolution = evolution(&space, settings(0.0, Method::Direct), &a);
        follow(&mut evolution, &clock(1e-3, 0.1));
        let (a, decay) = (evolution.coefficients(), (-0.1 * phi.lambda).exp());
        let errors = space.x().nodes().iter().zip(space.nodal()).map(|(x, k)| (a[k] - decay * phi.at(*x)[0]).abs());
        errors.fold(0.0, f64::max)
    };
    let order = (error(16) / error(32)).log2();
    assert!((order - 4.0).abs() < 0.15, "{order}");
}

/// Errors in time alone, against many steps on the same mesh.
fn order_in_time(scheme: Scheme, euler_steps: usize, euler_length: EulerLength, steps: [usize; 2]) -> f64 {
    let space = Collocation::interval(two_layers(24, D));
    let phi = Eigenfunction::new(0.0, 0.5, 1.0);
    let a = space.interpolated(|[x, _]| [1.0 + phi.at(x)[0], phi.at(x)[1], 0.0, 0.0]);
    let end = 2.0;
    let at = |steps: usize, clock: &dyn Fn(Clock) -> Clock| {
        let mut evolution = evolution(&space, settings(0.3, Method::Modal), &a);
        follow(&mut evolution, &clock(clock_of(steps, end)));
        evolution.coefficients()
    };
    let exact = at(4000, &|clock| clock);
    let error = |count: usize| {
        let a = at(count, &|clock| Clock { scheme, euler_steps, euler_length, ..clock });
        a.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    (error(steps[0]) / error(steps[1])).log2()
}

fn clock_of(steps: usize, end: f64) -> Clock {
    clock(end / steps as f64, end)
}

#[test]
fn schemes_have_their_orders() {
    let full = EulerLength::Full;
    let dirk = order_in_time(Scheme::Dirk, 0, full, [20, 40]);
    assert!((2.8..3.1).contains(&dirk), "{dirk}");
    let started = order_in_time(Scheme::Dirk, 2, full, [40, 80]);
    assert!((1.85..2.1).contains(&started), "{started}");
    let short = order_in_time(Scheme::Dirk, 2, EulerLength::Short, [40, 80]);
    assert!((2.8..3.2).contains(&short), "{short}");
    let euler = order_in_time(Scheme::BackwardEuler, 0, full, [40, 80]);
    assert!((0.95..1.05).contains(&euler), "{euler}");
    let trapezoidal = order_in_time(Scheme::CrankNicolson, 0, full, [20, 40]);
    assert!((1.95..2.05).contains(&trapezoidal), "{trapezoidal}");
}

pub fn rectangle(diffusion: &[f64]) -> Collocation {
    let x = Line::mapped([0.0, 2.0], 8, &Layers::equal(diffusion).unwrap(), |t| t).unwrap();
    Collocation::rectangle(x, plain([0.0, 1.5], 6))
}

pub fn sources(space: &Collocation, start: Start) -> Vec<f64> {
    let source = |x: f64, y: f64| Source { centre: vec![x, y], eta: 0.3 };
    space.sources(&[source(0.7, 0.6), source(1.4, 1.0)], start).unwrap()
}

#[test]
fn mass_follows_its_law_exactly() {
    for (diffusion, rho, allowed) in
        [(D, 0.0, 1e-12), (D, 0.7, 1e-12), ([1.0, 1e-6], 0.0, 1e-10), ([1e3, 1e-3], 0.4, 1e-10)]
    {
        let space = rectangle(&diffusion);
        for method in [Method::Modal, Method::Direct, Method::Ilu] {
            let mut evolution = evolution(&space, settings(rho, method), &sources(&space, Start::Interpolated));
            let start = evolution.measure().mass;
            let clock = Clock { euler_steps: 2, ..clock(0.05, 0.5) };
            let found = follow(&mut evolution, &clock);
            let mut expected = start;
            for (n, measured) in found.iter().enumerate() {
                let scheme = if n < 2 { Scheme::BackwardEuler } else { Scheme::Dirk };
                expected *= scheme.growth(0.05 * rho);
                let drift = (measured.mass / expected - 1.0).abs();
                let allowed = if method == Method::Ilu { 1e-9 } else { allowed };
                assert!(drift < allowed, "{method}, D {diffusion:?}, step {n}: {drift:e}");
            }
        }
    }
}

#[test]
fn methods_and_arrangements_agree() {
    let space = rectangle(&[1.0, 0.2]);
    let a = sources(&space, Start::Collocated);
    let mut all = Vec::new();
    for method in Method::ALL {
        for scheme in [Scheme::Dirk, Scheme::DirkSource] {
            let mut evolution = evolution(&space, settings(0.5, method), &a);
            let clock = Clock { scheme, euler_steps: 2, ..clock(0.02, 0.2) };
            let measured = follow(&mut evolution, &clock);
            assert_eq!(
                measured.iter().all(|step| step.iterations > 0),
                matches!(method, Method::Ilu | Method::HostIlu)
            );
            assert!(measured.iter().all(|step| step.residual < 1e-11), "{method} {scheme}");
            all.push((method, scheme, evolution.coefficients()));
        }
    }
    let size = all[0].2.iter().fold(0.0f64, |most, a| most.max(a.abs()));
    for (method, scheme, a) in &all[1..] {
        let apart = a.iter().zip(&all[0].2).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-9 * size, "{method} {scheme}: {apart:e}");
    }
}

/// Interpolation takes slopes from the right and is not symmetric where a source crosses an interface; collocation is.
#[test]
fn symmetric_data_stay_symmetric() {
    let x = Line::uniform([0.0, 3.0], 12, &Layers::equal(&[1.0, 0.2, 1.0]).unwrap()).unwrap();
    let space = Collocation::rectangle(x, plain([0.0, 2.0], 6));
    let a = space.sources(&[Source { centre: vec![1.5, 1.0], eta: 0.4 }], Start::Collocated).unwrap();
    let mut evolution = evolution(&space, settings(0.2, Method::Modal), &a);
    follow(&mut evolution, &clock(0.05, 0.5));
    let a = evolution.coefficients();
    for [x, y] in [[0.3, 0.2], [0.9, 1.1], [1.4, 0.7]] {
        let at = |x: f64, y: f64| space.at(&a, &[x, y]).unwrap();
        for mirrored in [at(3.0 - x, y), at(x, 2.0 - y), at(3.0 - x, 2.0 - y)] {
            assert!((at(x, y) - mirrored).abs() < 1e-12);
        }
    }
}

#[test]
fn modes_solve_their_equation_and_are_orthonormal() {
    for n in [1, 2, 7, 16] {
        let space = Collocation::rectangle(plain([0.0, 1.0], 2), plain([0.0, 3.0], n));
        let modes = Modes::of(&space).unwrap();
        assert_eq!(modes.count(), 2 * n);
        let (weights, C0) = (space.y().unwrap().weights(), space.C0()[1]);
        let at: Vec<Vec<f64>> = (0..2 * n).map(|m| C0.product(modes.mode(m))).collect();
        for m in 0..2 * n {
            let mu = modes.mu()[m];
            let second = space.C2y().product(modes.mode(m));
            let off = second.iter().zip(&at[m]).map(|(c2, c0)| (c2 - mu * c0).abs()).fold(0.0, f64::max);
            assert!(mu <= 0.0 && off < 1e-10 * (1.0 + mu.abs()), "{n}, mode {m}: {off:e}");
            for k in 0..=m {
                let dot: f64 = at[m].iter().zip(&at[k]).zip(&weights).map(|((a, b), w)| w * a * b).sum();
                assert!((dot - f64::from(u8::from(k == m))).abs() < 1e-12, "{n}: {m} and {k}: {dot}");
            }
        }
    }
    let graded = Line::mapped([0.0, 1.0], 4, &Layers::equal(&[1.0]).unwrap(), |t| t * t).unwrap();
    let space = Collocation::rectangle(plain([0.0, 1.0], 2), graded);
    assert!(Modes::of(&space).is_none());
    let a = vec![0.0; space.unknowns()];
    assert!(Evolution::new(cpu_executor(), &space, settings(0.0, Method::Modal), &a).is_err());
}

/// A0 is factored exactly: one iteration, of which the second half has nothing to do. Others need more as the mesh is
/// refined.
#[test]
fn iterations_are_those_of_the_spec() {
    let iterations = |side: usize| {
        let box_side = side as f64 / 16.0;
        let middle = Layers::equal(&[1.0, 0.2]).unwrap();
        let x = Line::uniform([0.0, box_side], side, &middle).unwrap();
        let space = Collocation::rectangle(x, plain([0.0, box_side], side));
        let centre = vec![0.4 * box_side, 0.5 * box_side];
        let a = space.sources(&[Source { centre, eta: 0.2 }], Start::Interpolated).unwrap();
        let settings = Settings { rtol: 1e-10, ..settings(1.0, Method::Ilu) };
        let mut evolution = evolution(&space, settings, &a);
        let step = |scheme| Step { scheme, dt: 0.05 };
        let euler = evolution.advance(step(Scheme::BackwardEuler), 1).unwrap()[0].iterations;
        let [own, source] =
            [Scheme::Dirk, Scheme::DirkSource].map(|scheme| evolution.advance(step(scheme), 1).unwrap()[0].iterations);
        (euler, own, source)
    };
    let small = iterations(10);
    let large = iterations(160);
    assert!(large.0 < 30 && large.1 < 60, "{large:?}");
    assert!(small.0 < large.0, "{small:?} and {large:?}");
    assert!(small.2 <= small.1 + 3, "the solve with A0 takes one iteration: {small:?}");
}
