//! Frames: one for each time that a viewer is ready, the newest there is.

use super::{Show, Viewer};
use galerkit_live::{Kind, Watcher};
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn a_viewer_gets_one_frame_each_time_it_is_ready_and_the_newest() {
    let show = Show::new();
    let mut viewer = show.viewer();
    let first = viewer.frame(Kind::Potential);
    let mut other = show.viewer();
    while other.frame(Kind::Potential) <= first + 10 {}
    let second = viewer.frame(Kind::Potential);
    assert!(second > first + 10, "{first} {second}: those between are gone");
    let third = viewer.frame(Kind::Activation);
    assert!(third >= second, "another kind");
    viewer.0.get_ref().set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    let unasked = std::iter::from_fn(|| viewer.0.read().ok()).filter(tungstenite::Message::is_binary).count();
    assert_eq!(unasked, 0, "nothing comes unasked");
}

#[test]
fn a_pause_stops_the_sequence_numbers() {
    let show = Show::new();
    let mut viewer = show.viewer();
    viewer.frame(Kind::Potential);
    viewer.say(&json!({ "command": { "pause": {} } }));
    viewer.hear_status(|status| status["run"]["playing"] == false);
    viewer.0.get_ref().set_read_timeout(Some(Duration::from_millis(150))).unwrap();
    let frames = |viewer: &mut Viewer| {
        viewer.say(&json!({ "ready": { "show": "potential" } }));
        std::iter::from_fn(|| viewer.0.read().ok()).filter(tungstenite::Message::is_binary).count()
    };
    assert!(frames(&mut viewer) <= 1, "what was published before the pause");
    assert_eq!(frames(&mut viewer), 0, "there is nothing new to show");
    viewer.0.get_ref().set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let shown = viewer.frame(Kind::Duration);
    viewer.say(&json!({ "command": { "play": {} } }));
    let next = viewer.frame(Kind::Potential);
    assert!(shown <= next && next < viewer.frame(Kind::Potential), "it goes on where it was");
}

/// The scripted viewer gets as many as it asks for, and leaves the run alone when it goes.
#[test]
fn a_watcher_counts_what_it_gets() {
    let show = Show::new();
    let url = format!("http://{}/#{}", show.host(), show.token);
    let watcher = Watcher::start(&url, Kind::Potential, 50.0).unwrap();
    let begun = Instant::now();
    while watcher.watched().frames < 10 {
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", watcher.watched());
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(begun.elapsed() > Duration::from_millis(150), "not more than it asks for");
    let watched = watcher.watched();
    assert!(watched.bytes >= 59 * watched.frames, "{watched:?}: a header and three vertices");
    watcher.finish();
    assert!(Watcher::start("http://nowhere", Kind::Potential, 1.0).is_err());
    assert!(show.viewer().frame(Kind::Potential) > 0);
}

/// One viewer asks for frames and never reads them, another never asks: a third one does not notice.
#[test]
fn a_slow_viewer_does_not_slow_another() {
    let show = Show::new();
    let mut stuck = show.viewer();
    let _silent = show.viewer();
    for _ in 0..200 {
        stuck.say(&json!({ "ready": { "show": "activation" } }));
    }
    let mut quick = show.viewer();
    let begun = Instant::now();
    let numbers: Vec<u32> = (0..60).map(|_| quick.frame(Kind::Potential)).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert!(begun.elapsed() < Duration::from_secs(15), "60 frames of a run with 500 a second");
}
