//! The listener: a thread that accepts, and one for each connection. Whoever asks for what is not ours is told 403
//! before anything else.

use crate::command::Limits;
use crate::error::{Error, Result};
use crate::frame::Surface;
use crate::gate::Gate;
use crate::http::{Head, answer};
use crate::hub::{Hub, Order};
use crate::page;
use crate::viewer::{Service, serve};
use serde_json::Value;
use std::io::{ErrorKind, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};
use tungstenite::handshake::derive_accept_key;

/// Connections at a time, of which viewers are a part.
const CONNECTIONS: usize = 64;
const PLAIN: &str = "text/plain; charset=utf-8";

/// How to serve.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where.
    pub listen: SocketAddr,
    /// Whether others than this machine may connect.
    pub allow_remote: bool,
    /// Names under which they may know it.
    pub names: Vec<String>,
    /// Viewers at a time.
    pub viewers: usize,
    /// How long one may be silent before it counts as gone.
    pub silence: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            allow_remote: false,
            names: Vec::new(),
            viewers: 16,
            silence: Duration::from_secs(10),
        }
    }
}

/// What is served.
#[derive(Debug)]
pub struct Shown {
    /// What the run is, told once.
    pub about: Value,
    /// What is drawn.
    pub surface: Surface,
    /// What commands may ask for.
    pub limits: Limits,
    /// Where the commands stand.
    pub journal: PathBuf,
}

/// A server that is running; it ends with the program, or when it is told.
pub struct Server {
    service: Arc<Service>,
    address: SocketAddr,
    orders: Receiver<Order>,
}

impl Server {
    /// Listens from now on.
    ///
    /// # Errors
    /// If the port is in use, the address is remote and that is not allowed, or the system refuses.
    pub fn start(settings: &Settings, shown: Shown) -> Result<Self> {
        let wanted = settings.listen;
        if !wanted.ip().is_loopback() && !settings.allow_remote {
            return Err(Error::Remote(wanted));
        }
        let refused = |source: std::io::Error| match source.kind() {
            ErrorKind::AddrInUse => Error::PortInUse(wanted),
            _ => Error::Listen { address: wanted, source },
        };
        let listener = TcpListener::bind(wanted).map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let (hub, orders) = Hub::new(settings.viewers);
        let service = Arc::new(Service {
            hub,
            gate: Gate::new(address.port(), &settings.names)?,
            limits: shown.limits,
            about: shown.about,
            surface: Arc::new(shown.surface.encode()),
            journal: shown.journal,
            silence: settings.silence,
        });
        let server = Self { service: service.clone(), address, orders };
        std::thread::spawn(move || accept(&listener, &service));
        Ok(server)
    }

    /// What to open in a browser.
    pub fn url(&self) -> String {
        let host = match self.address.ip() {
            ip if ip.is_unspecified() => format!("127.0.0.1:{}", self.address.port()),
            _ => self.address.to_string(),
        };
        format!("http://{host}/#{}", self.service.gate.token())
    }
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
    /// What it shares with the simulation.
    pub fn hub(&self) -> &Hub {
        &self.service.hub
    }
    /// What viewers ask for.
    pub fn orders(&self) -> &Receiver<Order> {
        &self.orders
    }

    /// Sends everybody home, and waits a moment for that.
    pub fn stop(self) {
        self.service.hub.close();
        let begun = Instant::now();
        while self.service.hub.viewers() > 0 && begun.elapsed() < Duration::from_secs(1) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn accept(listener: &TcpListener, service: &Arc<Service>) {
    let connections = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming().flatten() {
        if service.hub.is_over() {
            return;
        }
        if connections.fetch_add(1, SeqCst) >= CONNECTIONS {
            connections.fetch_sub(1, SeqCst);
            continue;
        }
        let (service, connections) = (service.clone(), connections.clone());
        std::thread::spawn(move || {
            connect(&service, stream);
            connections.fetch_sub(1, SeqCst);
        });
    }
}

/// One connection: a file, or a viewer.
fn connect(service: &Service, mut stream: TcpStream) {
    let limit = Some(Duration::from_secs(5));
    if stream.set_read_timeout(limit).and(stream.set_write_timeout(limit)).is_err() {
        return;
    }
    let Some((head, rest)) = Head::read(&mut stream) else {
        return answer(&mut stream, "400 Bad Request", PLAIN, b"this is no request that a browser makes\n");
    };
    let host = head.field("host").unwrap_or_default();
    if !service.gate.admits_host(host, stream.local_addr().ok()) {
        let why =
            b"403: the name or port in the address is not the one that was printed; with ssh -L keep the port, as in \
                    ssh -L 8137:127.0.0.1:8137\n";
        return answer(&mut stream, "403 Forbidden", PLAIN, why);
    }
    let is_ours = head.field("origin").map(|origin| service.gate.admits_origin(host, origin));
    match (head.upgrade(), is_ours) {
        (_, Some(false)) | (Some(_), None) => {
            answer(&mut stream, "403 Forbidden", PLAIN, b"403: another page asks: open the address that was printed\n");
        }
        (Some(key), Some(true)) if head.path == "/socket" => {
            let accept = derive_accept_key(key.as_bytes());
            let head = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ";
            if write!(stream, "{head}{accept}\r\n\r\n").is_ok() {
                serve(service, stream, rest);
            }
        }
        _ if head.method != "GET" => answer(&mut stream, "405 Method Not Allowed", PLAIN, b"only GET\n"),
        _ => match page::file(&head.path) {
            Some((_, kind, bytes)) => answer(&mut stream, "200 OK", kind, bytes),
            None => answer(&mut stream, "404 Not Found", PLAIN, b"there is nothing here\n"),
        },
    }
}
