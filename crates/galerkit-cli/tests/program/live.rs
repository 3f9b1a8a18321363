//! `galerkit heart --live` as viewers see it: the real program, a socket or a real browser, its journal, a replay of
//! it.

mod browser;
mod devtools;
mod page;

use super::{Folder, GALERKIT, Ran};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;
use tungstenite::http::Request;
use tungstenite::{Message, WebSocket};

/// A small slab at rest, which waits for somebody to play.
const SLAB: &str = "heart --geometry slab --dx 1 --stimulus none";

/// The program while it serves.
struct Running {
    child: Option<Child>,
    /// What it printed: the address.
    url: String,
    /// Open for as long as it runs, or it could not say how it ended.
    _stdout: BufReader<ChildStdout>,
}

/// A test that fails leaves nothing running.
impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Running {
    fn new(folder: &Folder, arguments: &str) -> Self {
        let mut command = Command::new(GALERKIT);
        command.current_dir(folder.path()).args(arguments.split_whitespace());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (mut line, mut stdout) = (String::new(), BufReader::new(child.stdout.take().unwrap()));
        stdout.read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("open ").unwrap_or_else(|| panic!("no address in '{line}'")).to_owned();
        Self { child: Some(child), url, _stdout: stdout }
    }

    /// Name and port.
    fn host(&self) -> &str {
        self.url.split('/').nth(2).unwrap()
    }

    fn viewer(&self) -> Viewer {
        let request = Request::builder()
            .uri(format!("ws://{}/socket", self.host()))
            .header("Host", self.host())
            .header("Origin", format!("http://{}", self.host()))
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
        let stream = TcpStream::connect(self.host()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let (socket, _) = tungstenite::client(request.body(()).unwrap(), stream).unwrap();
        let mut viewer = Viewer { socket, time: -1.0 };
        viewer.say(&json!({ "hello": { "token": self.url.split_once('#').unwrap().1 } }));
        viewer.take_control();
        viewer.wait(0.0);
        viewer
    }

    /// Ctrl-C.
    fn interrupt(mut self) -> Ran {
        let child = self.child.take().unwrap();
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        Ran::new("--live", child.wait_with_output().unwrap())
    }
}

/// Somebody who watches, and controls.
struct Viewer {
    socket: WebSocket<TcpStream>,
    /// Of the newest frame, in ms.
    time: f64,
}

impl Viewer {
    fn say(&mut self, what: &Value) {
        self.socket.send(Message::text(what.to_string())).unwrap();
    }

    fn command(&mut self, command: Value) {
        self.say(&json!({ "command": command }));
    }

    /// Asks, in case that who was there before is not known to be gone yet.
    fn take_control(&mut self) {
        self.say(&json!({ "ask": {} }));
        loop {
            if let Message::Text(text) = self.socket.read().unwrap()
                && text.contains(r#""controls":true"#)
            {
                return;
            }
        }
    }

    /// Waits until the run is at a time.
    fn wait(&mut self, time: f64) {
        self.say(&json!({ "ready": { "show": "potential" } }));
        while self.time < time {
            match self.socket.read().unwrap() {
                Message::Binary(bytes) if bytes[0] == 1 => {
                    self.time = f64::from_le_bytes(bytes[16..24].try_into().unwrap());
                    self.say(&json!({ "ready": { "show": "potential" } }));
                }
                Message::Text(text) => assert!(!text.contains("refused"), "{text}"),
                _ => {}
            }
        }
    }

    /// Goes on by so many ms and waits for that.
    fn step(&mut self, milliseconds: u32) {
        self.command(json!({ "step": { "milliseconds": milliseconds } }));
        self.wait(self.time.max(0.0) + f64::from(milliseconds));
    }
}

/// Everything that changes bits, at times of its own; then the journal alone; then in two halves.
#[test]
fn a_replay_has_equal_bits() {
    let folder = Folder::new();
    let running = Running::new(&folder, &format!("{SLAB} --live --paused --speed max --journal j --checkpoint state"));
    let mut viewer = running.viewer();
    viewer.command(json!({ "stimulate": { "node": 0, "radius": 3, "potential": 1 } }));
    viewer.step(7);
    viewer.command(json!({ "ablate": { "nodes": [40, 41], "radius": 2, "factor": 0.01 } }));
    viewer.command(json!({ "parameters": { "D": 0.8 } }));
    viewer.step(5);
    viewer.command(json!({ "parameters": { "alpha": 0.02, "dt": 0.5 } }));
    viewer.command(json!({ "pace": { "node": 3, "count": 2, "interval": 20, "then": { "after": 9 }, "then_node": 0, "radius": 3 } }));
    viewer.step(40);
    viewer.command(json!({ "undo": {} }));
    viewer.command(json!({ "clear_times": {} }));
    viewer.command(json!({ "parameters": { "anisotropy": 0.5, "dt": 0.125 } }));
    viewer.step(10);
    let ran = running.interrupt().exits(130);
    assert!(ran.stderr.contains("Ctrl-C"), "{}", ran.stderr);
    let journal = folder.read("j");
    assert!(journal.ends_with("}\n") && journal.contains("\"time\":12,"), "{journal}");
    let whole = std::fs::read(folder.path().join("state")).unwrap();
    assert!(folder.names().iter().all(|name| ["j", "state"].contains(&name.as_str())), "no unfinished file remains");

    folder.run(&format!("{SLAB} --replay j --checkpoint again")).exits(0);
    assert!(std::fs::read(folder.path().join("again")).unwrap() == whole, "a replay has other bits");
    folder.run(&format!("{SLAB} --replay j --end 30 --checkpoint half")).exits(0);
    folder.run(&format!("{SLAB} --resume half --replay j --checkpoint again")).exits(0);
    assert!(std::fs::read(folder.path().join("again")).unwrap() == whole, "a resumed replay has other bits");
    folder.run("heart --geometry slab --dx 2 --replay j --quiet").fails_saying(&["another run", "with the options"]);
    folder.run("heart --geometry slab --dx 1 --resume half --quiet").fails_saying(&["half", "--replay"]);
}

/// S2 waits until the tail has passed; a replay waits as long.
#[test]
fn an_armed_stimulus_fires_at_the_tail() {
    let folder = Folder::new();
    let cable = "heart --geometry cable --size 12 --dx 1 --stimulus none";
    let running = Running::new(&folder, &format!("{cable} --live --paused --speed max --journal j --checkpoint state"));
    let mut viewer = running.viewer();
    viewer.command(json!({ "pace": { "node": 0, "count": 1, "interval": 300, "then": { "tail": 5 }, "then_node": 6, "radius": 4 } }));
    viewer.step(900);
    running.interrupt().exits(130);
    let state = std::fs::read(folder.path().join("state")).unwrap();
    let memory: Value = serde_json::from_slice(state.split(|byte| *byte == b'\n').nth(1).unwrap()).unwrap();
    assert!(memory["armed"].is_null() && memory["pulses"] == json!([]), "S2 has come: {memory}");
    folder.run(&format!("{cable} --replay j --checkpoint again")).exits(0);
    assert!(std::fs::read(folder.path().join("again")).unwrap() == state);
}

#[test]
fn what_cannot_be_served_is_said() {
    let folder = Folder::new();
    let running = Running::new(&folder, &format!("{SLAB} --live --paused --journal j"));
    let live = format!("{SLAB} --live --journal k");
    let (host, quiet) = (running.host().to_owned(), format!("{live} --quiet"));
    folder.run(&format!("{quiet} --listen {host}")).fails_saying(&["is in use", "--listen"]);
    folder.run(&format!("{quiet} --listen 0.0.0.0:0")).fails_saying(&["--allow-remote", "ssh -L"]);
    folder.run(&format!("{quiet} --listen here")).fails_saying(&["--listen here", "127.0.0.1:8137"]);
    folder.run(&format!("{quiet} --dt 0.3")).fails_saying(&["--dt 0.3", "0.25"]);
    folder.run(&format!("{quiet} --speed 0")).fails_saying(&["--speed 0", "max"]);
    folder.run(&format!("{SLAB} --replay nowhere --quiet")).fails_saying(&["nowhere"]);
    drop(running.viewer());
    running.interrupt().exits(130);
    let ran = folder.run(&format!("{live} --speed max --end 3")).exits(0);
    assert!(ran.stdout.contains("open http://127.0.0.1:") && ran.stdout.contains("3 ms, 12 steps"), "{}", ran.stdout);
}
