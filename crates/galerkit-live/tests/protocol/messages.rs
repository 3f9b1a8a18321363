//! Messages that make no sense: named, refused, and in the end too many.

use super::Show;
use serde_json::json;
use tungstenite::Message;

#[test]
fn numbers_and_names_are_checked() {
    let show = Show::new();
    let mut viewer = show.viewer();
    for (command, reason) in [
        (json!({ "stimulate": { "node": 3, "radius": 4, "potential": 1 } }), "node 3 is none"),
        (json!({ "stimulate": { "node": 1, "radius": 0, "potential": 1 } }), "radius: 0 is not between"),
        (json!({ "ablate": { "nodes": [], "radius": 4, "factor": 0.1 } }), "nodes: from 1"),
        (json!({ "ablate": { "nodes": [0], "radius": 4, "factor": 0 } }), "factor"),
        (json!({ "parameters": { "dt": 0.3 } }), "divide 1 ms"),
        (json!({ "parameters": { "D": -1 } }), "D: -1 is not between"),
        (json!({ "speed": { "factor": 1e9 } }), "factor"),
        (
            json!({ "pace": { "node": 0, "count": 0, "interval": 300, "then": "never", "then_node": 0, "radius": 4 } }),
            "count",
        ),
        (json!({ "step": { "milliseconds": 0 } }), "milliseconds"),
        (json!({ "stimulate": { "node": 1, "radius": 4, "potential": 1, "more": 1 } }), "unknown field `more`"),
        (json!({ "play": { "now": true } }), "unknown field `now`"),
        (json!({ "explode": {} }), "unknown variant `explode`"),
    ] {
        viewer.say(&json!({ "command": command }));
        let refused = viewer.hear("refused");
        assert!(refused["reason"].as_str().unwrap().contains(reason), "{command}: {refused}");
    }
    for (text, reason) in [
        ("{", "EOF"),
        (r#"{"ready":{"show":"colour"}}"#, "unknown variant"),
        (r#"{"command":{"speed":{"factor":1e999}}}"#, "range"),
    ] {
        viewer.0.send(Message::text(text)).unwrap();
        let refused = viewer.hear("refused");
        assert!(refused["reason"].as_str().unwrap().contains(reason), "{text}: {refused}");
    }
    viewer.0.send(Message::binary(vec![1, 2, 3])).unwrap();
    assert_eq!(viewer.hear("refused")["reason"], "messages are text");
    viewer.frame(galerkit_live::Kind::Potential);
}

#[test]
fn too_much_ends_the_connection() {
    let show = Show::new();
    let mut viewer = show.viewer();
    viewer.0.send(Message::text(" ".repeat(70_000))).unwrap();
    assert_eq!(viewer.ending(), 1009);
    let mut viewer = show.viewer();
    for _ in 0..21 {
        viewer.0.send(Message::text("nonsense")).unwrap();
    }
    assert_eq!(viewer.ending(), 1008);
}
