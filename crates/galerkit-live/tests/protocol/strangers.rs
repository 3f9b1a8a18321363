//! Who does not belong here is sent away before anything else.

use super::{Show, Viewer};
use galerkit_live::server::Shown;
use galerkit_live::{Error, Limits, Server, Settings, Surface};
use serde_json::json;

#[test]
fn wrong_hosts_and_origins_are_forbidden() {
    let show = Show::new();
    let (host, port) = (show.host(), show.address.port());
    let own = format!("http://{host}");
    assert!(show.socket(&host, Some(&own)).is_ok());
    let local = format!("localhost:{port}");
    assert!(show.socket(&local, Some(&format!("http://{local}"))).is_ok());
    for wrong in ["127.0.0.1", "evil.example", &format!("127.evil.example:{port}"), &format!("localhost:{}", port ^ 1)]
    {
        assert_eq!(show.socket(wrong, Some(&format!("http://{wrong}"))).unwrap_err(), 403, "{wrong}");
        let answer = show.get(&format!("GET / HTTP/1.1\r\nHost: {wrong}\r\n\r\n"));
        assert!(answer.starts_with("HTTP/1.1 403 ") && answer.contains("ssh -L"), "{answer}");
    }
    for origin in [
        None,
        Some("null"),
        Some("http://evil.example"),
        Some(&*format!("https://{host}")),
        Some(&*format!("http://{local}")),
    ] {
        assert_eq!(show.socket(&host, origin).unwrap_err(), 403, "{origin:?}");
    }
}

#[test]
fn without_the_token_nothing_is_told() {
    let show = Show::new();
    for first in [
        json!({ "hello": { "token": "00000000000000000000000000000000" } }),
        json!({ "hello": { "token": "" } }),
        json!({ "hello": { "token": show.token, "more": 1 } }),
        json!({ "ready": { "show": "potential" } }),
    ] {
        let mut viewer = Viewer(show.socket(&show.host(), Some(&format!("http://{}", show.host()))).unwrap());
        viewer.say(&first);
        match viewer.0.read().unwrap() {
            tungstenite::Message::Close(Some(frame)) => assert_eq!(u16::from(frame.code), 1008, "{first}"),
            other => panic!("{first}: {other}"),
        }
    }
    show.viewer();
}

#[test]
fn files_come_with_what_keeps_others_out() {
    let show = Show::new();
    let host = show.host();
    let page = show.get(&format!("GET /?plain HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n"));
    for header in [
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:;",
        "X-Content-Type-Options: nosniff",
        "Cache-Control: no-store",
        "frame-ancestors 'none'",
    ] {
        assert!(page.contains(header), "{header}");
    }
    assert!(!page.contains("Access-Control"), "no other page may read it");
    assert!(!page.contains(" style=") && !page.contains("onclick"), "the policy would ignore these");
    let mut scripts = 0;
    for name in page.split(['"', '\'']).filter(|word| word.starts_with('/') && word.contains('.')) {
        let answer = show.get(&format!("GET {name} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{name}");
        for imported in answer.split("from \"./").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let answer = show.get(&format!("GET /{imported} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
            assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("text/javascript"), "{imported}");
            scripts += 1;
        }
    }
    assert!(scripts > 5, "{scripts}");
    for (request, status) in [("POST /", 405), ("GET /../Cargo.toml", 404), ("GET /socket", 404), ("nonsense", 400)] {
        let answer = show.get(&format!("{request} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {answer}");
    }
}

#[test]
fn addresses_that_cannot_be_had_are_named() {
    let start = |settings: &Settings| {
        let limits = Limits { nodes: 0, has_alpha: false };
        Server::start(settings, Shown { about: json!({}), surface: Surface::default(), limits, journal: "".into() })
    };
    let show = Show::new();
    let taken = Settings { listen: show.address, ..Settings::default() };
    let said = start(&taken).err().unwrap().to_string();
    assert!(said.contains("in use") && said.contains("port 0"), "{said}");
    let open = Settings { listen: "0.0.0.0:0".parse().unwrap(), ..Settings::default() };
    let said = start(&open).err().unwrap();
    assert!(matches!(said, Error::Remote(_)) && said.to_string().contains("--allow-remote"), "{said}");
    let server = start(&Settings { allow_remote: true, ..open }).unwrap();
    assert!(server.url().starts_with("http://127.0.0.1:"));
}
