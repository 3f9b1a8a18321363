//! A viewer without a browser: comes in, is ready so many times a second, counts what it gets. For measurements of what
//! being watched costs.

use crate::frame::Kind;
use serde_json::json;
use std::io::{Error, ErrorKind, Result};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tungstenite::handshake::client::generate_key;
use tungstenite::http::Request;
use tungstenite::{Message, WebSocket};

/// What one has got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// Frames.
    pub frames: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// One that watches, on a thread of its own, until it is told to go or sent home.
pub struct Watcher {
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    goes: AtomicBool,
    frames: AtomicU64,
    bytes: AtomicU64,
}

impl Watcher {
    /// Comes in by the address that was printed, and asks for frames of a kind so many times a second.
    ///
    /// # Errors
    /// If nobody answers there, or nobody is let in.
    pub fn start(url: &str, kind: Kind, per_second: f64) -> Result<Self> {
        let mut socket = enter(url)?;
        let shared = Arc::new(Shared::default());
        let (own, between) = (shared.clone(), Duration::from_secs_f64(1.0 / per_second));
        let thread = std::thread::spawn(move || {
            let _ = watch(&mut socket, kind, between, &own); // it ends when it is sent home
        });
        Ok(Self { shared, thread })
    }

    /// What it has got so far.
    pub fn watched(&self) -> Watched {
        Watched { frames: self.shared.frames.load(SeqCst), bytes: self.shared.bytes.load(SeqCst) }
    }

    /// Goes.
    pub fn finish(self) {
        self.shared.goes.store(true, SeqCst);
        let _ = self.thread.join();
    }
}

fn enter(url: &str) -> Result<WebSocket<TcpStream>> {
    let unlike = || Error::new(ErrorKind::InvalidInput, format!("{url} is no address of a live run"));
    let (host, token) = url.strip_prefix("http://").and_then(|rest| rest.split_once("/#")).ok_or_else(unlike)?;
    let request = Request::builder()
        .uri(format!("ws://{host}/socket"))
        .header("Host", host)
        .header("Origin", format!("http://{host}"))
        .header("Connection", "Upgrade")
        .header("Upgrade", "websocket")
        .header("Sec-WebSocket-Version", "13")
        .header("Sec-WebSocket-Key", generate_key())
        .body(())
        .map_err(|_| unlike())?;
    let stream = TcpStream::connect(host)?;
    stream.set_nodelay(true)?;
    let (mut socket, _) = tungstenite::client(request, stream).map_err(|error| Error::other(error.to_string()))?;
    socket.get_ref().set_read_timeout(Some(Duration::from_millis(100)))?;
    say(&mut socket, &json!({ "hello": { "token": token } })).map_err(Error::other)?;
    Ok(socket)
}

fn say(socket: &mut WebSocket<TcpStream>, what: &serde_json::Value) -> tungstenite::Result<()> {
    socket.send(Message::text(what.to_string()))
}

fn watch(socket: &mut WebSocket<TcpStream>, kind: Kind, between: Duration, shared: &Shared) -> tungstenite::Result<()> {
    let mut next = Instant::now();
    say(socket, &json!({ "ready": { "show": kind } }))?;
    while !shared.goes.load(SeqCst) {
        match socket.read() {
            Ok(Message::Binary(bytes)) if bytes.first() == Some(&1) => {
                shared.frames.fetch_add(1, SeqCst);
                shared.bytes.fetch_add(bytes.len() as u64, SeqCst);
                next += between;
                std::thread::sleep(next.saturating_duration_since(Instant::now()));
                next = next.max(Instant::now());
                say(socket, &json!({ "ready": { "show": kind } }))?;
            }
            Err(tungstenite::Error::Io(error)) if is_silence(&error) => {}
            other => drop(other?),
        }
    }
    Ok(())
}

fn is_silence(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
