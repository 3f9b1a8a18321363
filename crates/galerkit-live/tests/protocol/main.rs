//! The server as viewers and strangers see it, without a browser.

mod control;
mod frames;
mod messages;
mod rooms;
mod strangers;

use galerkit_live::frame::Header;
use galerkit_live::server::Shown;
use galerkit_live::{Command, Kind, Limits, Server, Settings, Surface};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tungstenite::http::Request;
use tungstenite::{Message, WebSocket};

/// How long an answer may take before it counts as none.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server before a run that does nothing but count.
struct Show {
    address: SocketAddr,
    token: String,
    is_over: Arc<AtomicBool>,
    run: Option<JoinHandle<()>>,
}

impl Show {
    fn new() -> Self {
        Self::with(Settings::default())
    }

    fn with(settings: Settings) -> Self {
        let surface = Surface { positions: vec![[0.0; 3]; 3], triangles: vec![[0, 1, 2]], nodes: vec![0, 1, 2] };
        let limits = Limits { nodes: 3, has_alpha: true };
        let shown = Shown { about: json!({ "name": "a test" }), surface, limits, journal: "/nowhere".into() };
        let server = Server::start(&settings, shown).unwrap();
        let token = server.url().split_once('#').unwrap().1.to_owned();
        let (address, is_over) = (server.address(), Arc::new(AtomicBool::new(false)));
        let ends = is_over.clone();
        let run = std::thread::spawn(move || count(server, &ends));
        Self { address, token, is_over, run: Some(run) }
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.address.port())
    }

    /// A viewer that was let in.
    fn viewer(&self) -> Viewer {
        let mut viewer = Viewer(self.socket(&self.host(), Some(&format!("http://{}", self.host()))).unwrap());
        viewer.say(&json!({ "hello": { "token": self.token } }));
        assert_eq!(viewer.hear("welcome")["name"], "a test");
        viewer
    }

    /// A socket, or the status in its place.
    fn socket(&self, host: &str, origin: Option<&str>) -> Result<WebSocket<TcpStream>, u16> {
        let mut request = Request::builder().uri(format!("ws://{}/socket", self.host())).header("Host", host);
        if let Some(origin) = origin {
            request = request.header("Origin", origin);
        }
        let request = request
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
            .body(())
            .unwrap();
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(socket),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
                Err(answer.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// The answer to a request without an upgrade.
    fn get(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Show {
    fn drop(&mut self) {
        self.is_over.store(true, SeqCst);
        self.run.take().map(JoinHandle::join);
    }
}

/// A run: a state every two milliseconds unless it is paused.
fn count(server: Server, is_over: &AtomicBool) {
    let (mut sequence, mut playing) = (0u32, true);
    while !is_over.load(SeqCst) {
        while let Ok(order) = server.orders().try_recv() {
            match order.command {
                Command::Play {} => playing = true,
                Command::Pause {} => playing = false,
                _ => {}
            }
        }
        sequence += u32::from(playing);
        for kind in server.hub().wanted() {
            let header = Header {
                kind,
                playing,
                sequence,
                step: u64::from(sequence),
                time: f64::from(sequence),
                pace: 1.0,
                iterations: 1.0,
                excited: 0.0,
                range: [0.0, 1.0],
            };
            server.hub().publish(kind, sequence, header.encode(&[], &vec![0; 3 * kind.bytes()]));
        }
        server.hub().set_status(json!({ "playing": playing }));
        std::thread::sleep(Duration::from_millis(2));
    }
    server.stop();
}

/// A viewer that was let in.
struct Viewer(WebSocket<TcpStream>);

impl Viewer {
    fn say(&mut self, what: &Value) {
        self.0.send(Message::text(what.to_string())).unwrap();
    }

    /// The next text with this key; what comes before it is passed over, but not for ever.
    fn hear(&mut self, key: &str) -> Value {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < PATIENCE, "nothing with '{key}' came");
            if let Message::Text(text) = self.0.read().unwrap() {
                let value: Value = serde_json::from_str(&text).unwrap();
                if let Some(found) = value.get(key) {
                    return found.clone();
                }
            }
        }
    }

    /// The next status for which something holds.
    fn hear_status(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            let status = self.hear("status");
            if holds(&status) {
                return status;
            }
        }
    }

    /// Asks for a frame; its sequence number.
    fn frame(&mut self, kind: Kind) -> u32 {
        self.say(&json!({ "ready": { "show": kind } }));
        self.await_frame()
    }

    fn await_frame(&mut self) -> u32 {
        loop {
            match self.0.read().unwrap() {
                Message::Binary(bytes) if bytes[0] == 1 => return u32::from_le_bytes(bytes[4..8].try_into().unwrap()),
                _ => {}
            }
        }
    }

    /// The code with which the server ends the connection.
    fn ending(&mut self) -> u16 {
        loop {
            match self.0.read() {
                Ok(Message::Close(Some(frame))) => return frame.code.into(),
                Ok(_) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}
