//! Steps of a tumour whose length changes: on a GPU factors are computed there, and nothing is compiled or loaded
//! again.

use galerkit::fem::collocation::{Collocation, Layers, Line, Method, Scheme, Settings, Source, Start, Step};
use galerkit::prelude::*;
use galerkit::tumour::evolution;

fn space() -> Collocation {
    let x = Line::uniform([0.0, 2.0], 8, &Layers::equal(&[1.0, 0.2]).unwrap()).unwrap();
    let y = Line::uniform([0.0, 1.5], 5, &Layers::equal(&[1.0]).unwrap()).unwrap();
    Collocation::rectangle(x, y)
}

/// Coefficients after steps of three lengths, the first again at the end, and whether another length costs nothing but
/// numbers.
fn stepped(device: Device, method: Method) -> (Vec<f64>, bool) {
    let space = space();
    let a = space.sources(&[Source { centre: vec![0.7, 0.6], eta: 0.3 }], Start::Interpolated).unwrap();
    let settings = Settings { rho: 0.5, method, rtol: 1e-11, threshold: None };
    let mut evolution = evolution(device, &space, settings, &a).unwrap();
    let step = |dt| Step { scheme: Scheme::Dirk, dt };
    evolution.advance(step(0.05), 2).unwrap();
    evolution.advance(step(0.02), 1).unwrap();
    let before = evolution.counters();
    for dt in [0.01, 0.05] {
        evolution.advance(step(dt), 2).unwrap();
    }
    (evolution.coefficients(), evolution.counters() == before)
}

#[test]
fn steps_of_another_length_are_other_values() {
    let [modal, ilu] = [Method::Modal, Method::Ilu].map(|method| stepped(Device::Cpu, method));
    assert!(modal.1 && ilu.1);
    assert!(modal.0.iter().zip(&ilu.0).all(|(a, b)| (a - b).abs() < 1e-9));
}

#[test]
fn steps_of_a_tumour_are_factored_anew_on_a_gpu() {
    if let Err(error) = galerkit_cuda::launch::Gpu::open(0) {
        return galerkit_testkit::skip(&error.to_string());
    }
    let [host, there] = [Device::Cpu, Device::Cuda(0)].map(|device| stepped(device, Method::Ilu));
    assert!(there.1, "something was compiled, loaded or allocated for another length");
    let apart = host.0.iter().zip(&there.0).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-9, "{apart:e}");
}
