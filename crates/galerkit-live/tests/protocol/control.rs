//! One controls, others watch and ask; who is gone controls no more.

use super::Show;
use galerkit_live::Settings;
use serde_json::json;
use std::time::Duration;

#[test]
fn one_controls_and_hands_over() {
    let show = Show::new();
    let [mut first, mut second] = [show.viewer(), show.viewer()];
    assert_eq!(first.hear_status(|status| status["viewers"] == 2)["controls"], true);
    assert_eq!(second.hear_status(|_| true)["controls"], false);
    second.say(&json!({ "command": { "pause": {} } }));
    assert!(second.hear("refused")["reason"].as_str().unwrap().contains("ask for control"));
    second.say(&json!({ "ask": {} }));
    first.hear_status(|status| status["asking"] == 1);
    first.say(&json!({ "hand_over": {} }));
    second.hear_status(|status| status["controls"] == true);
    second.say(&json!({ "command": { "pause": {} } }));
    first.hear_status(|status| status["run"]["playing"] == false && status["controls"] == false);
}

/// A browser that is killed, and one that is there but does not answer any more.
#[test]
fn who_vanishes_loses_control() {
    let show = Show::with(Settings { silence: Duration::from_millis(600), ..Settings::default() });
    let killed = show.viewer();
    let mut asking = show.viewer();
    asking.say(&json!({ "ask": {} }));
    asking.hear_status(|status| status["asked"] == true);
    drop(killed);
    asking.hear_status(|status| status["controls"] == true);
    let mut patient = show.viewer();
    patient.say(&json!({ "ask": {} }));
    // `asking` reads no more, so it answers no ping.
    patient.hear_status(|status| status["controls"] == true && status["viewers"] == 1);
}

#[test]
fn there_is_room_for_so_many() {
    let show = Show::with(Settings { viewers: 2, ..Settings::default() });
    let _inside = [show.viewer(), show.viewer()];
    let mut third = super::Viewer(show.socket(&show.host(), Some(&format!("http://{}", show.host()))).unwrap());
    third.say(&json!({ "hello": { "token": show.token } }));
    assert_eq!(third.ending(), 1013);
}

#[test]
fn everybody_is_sent_home_at_the_end() {
    let show = Show::new();
    let mut viewer = show.viewer();
    drop(show);
    assert_eq!(viewer.ending(), 1001);
}
