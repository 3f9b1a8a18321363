//! The real compiler, found as a user's would be; needs no GPU. Skipped, visibly, where there is no NVRTC.

use galerkit_cuda::jit::{Cache, Compiler, Found, Places, usage};
use galerkit_cuda::launch::Nvrtc;
use galerkit_cuda::map::Interface;
use galerkit_cuda::{Error, sources};

fn found(cache: &Cache) -> Option<Found> {
    let mut found = Found::new(&Places::of_environment(None), cache.clone());
    match found.look() {
        Ok(_) => Some(found),
        Err(error) => {
            galerkit_testkit::skip(&error.to_string());
            None
        }
    }
}

#[test]
fn it_compiles_with_its_builtins_beside_it_and_its_version_is_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path());
    let Some(mut first) = found(&cache) else { return };
    let (path, version) = first.look().unwrap();
    let (name, source) = &sources::all()[0];
    let (cubin, by) = first.compile(name, source, "sm_90").unwrap();
    assert_eq!(by, version);
    assert_eq!(&cubin[1..4], b"ELF");
    if path.is_file() {
        assert_eq!(cache.known_version(&path), Some(version));
        // The second process knows the version of a library that it does not load, and loads it to compile.
        let mut second = found(&cache).unwrap();
        assert_eq!(second.look().unwrap(), (path, version));
        assert_eq!(second.compile(name, source, "sm_90").unwrap().0, cubin);
    }
}

#[test]
fn an_error_in_a_kernel_names_it_and_quotes_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut found) = found(&Cache::at(folder.path())) else { return };
    let error = found.compile("broken", "extern \"C\" __global__ void k() { nonsense; }", "sm_90").unwrap_err();
    let Error::Compile { kernel, architecture, log } = error else { panic!("{error}") };
    assert_eq!((kernel.as_str(), architecture.as_str()), ("broken", "sm_90"));
    assert!(log.contains("broken.cu(1)") && log.contains("nonsense"), "{log}");
}

#[test]
fn what_is_no_library_is_skipped_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let fake = folder.path().join("libnvrtc.so.13");
    std::fs::write(&fake, "not a library").unwrap();
    assert!(matches!(Nvrtc::load(&fake), Err(Error::BadNvrtc { path, .. }) if path == fake));
    let places = Places { given: Some(fake.clone()), ..Places::default() };
    match Found::new(&places, Cache::at(folder.path())).look() {
        Err(Error::NoNvrtc { looked }) => assert!(looked.contains(&fake.canonicalize().unwrap().display().to_string())),
        Ok((path, _)) => assert!(!path.is_absolute(), "only the system's loader can have found one"),
        Err(other) => panic!("{other}"),
    }
}

/// The smallest map of each interface: the identity.
const IDENTITY: [(Interface, &str); 4] = [
    (
        Interface::Rows,
        "template <class Row> __device__ void each_row(const Map &A, const Scalar *x, Row row) {
             for (Offset i = thread_index(); i < A.n; i += thread_count()) row(i)(x[i]);
         }",
    ),
    (Interface::Entry, "__device__ Scalar entry(const Map &, Offset) { return scalar(1); }"),
    (
        Interface::Split,
        "template <class Write, class Add> __device__ void product(const Map &A, const Scalar *x, Write write, Add) {
             for (Offset i = thread_index(); i < A.n; i += thread_count()) write(i, x[i]);
         }
         template <class Add> __device__ void finish(const Map &A, Add add) {
             for (Offset i = threadIdx.x; i < A.n; i += blockDim.x) add(i, zero());
         }",
    ),
    (
        Interface::Passes(2),
        "template <int PASS> __device__ void apply(const Map &A, const Scalar *x, Scalar *y) {
             for (Offset i = thread_index(); i < A.n; i += thread_count()) y[i] = x[i];
         }",
    ),
];

#[test]
fn texts_of_maps_become_complete_and_their_kernels_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut found) = found(&Cache::at(folder.path())) else { return };
    let nvrtc = found.load().unwrap();
    for (interface, text) in IDENTITY {
        let sources = sources::of_map("identity", interface, &format!("struct Map {{ Offset n; }};\n{text}"));
        assert_eq!(sources.len(), 4);
        for (name, source) in sources {
            let kernels = usage(nvrtc, &name, &source, "sm_90").unwrap();
            let count = if let Interface::Rows | Interface::Entry = interface { 1 } else { 2 };
            assert_eq!(kernels.len(), count, "{interface:?} {name}");
            assert!(kernels.iter().all(|kernel| kernel.registers > 0 && kernel.spills == 0), "{kernels:?}");
        }
    }
}
