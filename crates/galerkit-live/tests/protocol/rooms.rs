//! Files of this crate use each other in no circle.

#[test]
fn no_files_use_each_other_in_a_circle() {
    galerkit_testkit::rooms::assert_no_circles(env!("CARGO_MANIFEST_DIR"));
}
