//! One viewer: one thread, one socket. It says when it is ready and then gets the newest frame there is, so a slow one
//! skips frames and holds nobody up. Pings find out who is gone.

use crate::command::Limits;
use crate::frame::Kind;
use crate::gate::Gate;
use crate::hub::{Hub, Told};
use crate::message::{LONGEST, Message, note, refused};
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tungstenite::{Error, Message as Packet, WebSocket};

/// How long a viewer's thread listens before it looks whether there is something to send.
const ATTENTION: Duration = Duration::from_millis(4);
/// Senseless messages that are answered before the connection ends.
const PATIENCE: usize = 20;

/// What every viewer is served with.
pub struct Service {
    /// What they share.
    pub hub: Hub,
    /// Who may come in.
    pub gate: Gate,
    /// What commands may ask for.
    pub limits: Limits,
    /// What the run is, told once.
    pub about: Value,
    /// What is drawn.
    pub surface: Arc<Vec<u8>>,
    /// Where the commands stand.
    pub journal: PathBuf,
    /// How long a viewer may be silent, pings not answered.
    pub silence: Duration,
}

struct Viewer<'a> {
    service: &'a Service,
    socket: WebSocket<TcpStream>,
    number: u64,
    wants: Option<Kind>,
    /// The last frame sent.
    sent: Option<(Kind, u32)>,
    /// Changes of the run that it has seen.
    seen: u64,
    /// Changes of scars that it has seen.
    seen_scars: u64,
    senseless: usize,
}

/// Why a connection ends.
enum End {
    Gone,
    Sent(CloseCode, &'static str),
}

impl From<Error> for End {
    fn from(_: Error) -> Self {
        Self::Gone
    }
}

/// Serves a viewer until it goes.
pub fn serve(service: &Service, stream: TcpStream, begun: Vec<u8>) {
    let longest = Some(LONGEST);
    let config = WebSocketConfig::default().max_message_size(longest).max_frame_size(longest);
    let timed = stream.set_read_timeout(Some(ATTENTION)).and(stream.set_write_timeout(Some(service.silence)));
    let _ = stream.set_nodelay(true);
    if timed.is_err() {
        return;
    }
    let mut socket = WebSocket::from_partially_read(stream, begun, Role::Server, Some(config));
    let end = match welcome(service, &mut socket) {
        Ok(number) => {
            let mut viewer =
                Viewer { service, socket, number, wants: None, sent: None, seen: 0, seen_scars: 0, senseless: 0 };
            let end = viewer.watch();
            service.hub.leave(number);
            socket = viewer.socket;
            end
        }
        Err(end) => end,
    };
    if let End::Sent(code, reason) = end {
        let _ = socket.close(Some(CloseFrame { code, reason: reason.into() }));
        let _ = socket.flush();
    }
}

/// The token first, in time, or nothing at all.
fn welcome(service: &Service, socket: &mut WebSocket<TcpStream>) -> Result<u64, End> {
    let begun = Instant::now();
    let text = loop {
        match socket.read() {
            Ok(Packet::Text(text)) => break text,
            Ok(_) => return Err(End::Sent(CloseCode::Policy, "the token comes first")),
            Err(error) if is_silence(&error) && begun.elapsed() < service.silence => {}
            Err(_) => return Err(End::Gone),
        }
    };
    let is_known = matches!(Message::parse(&text), Ok(Message::Hello { token }) if service.gate.admits_token(&token));
    if !is_known {
        return Err(End::Sent(CloseCode::Policy, "the token is wrong: open the address that was printed"));
    }
    let Some(number) = service.hub.enter() else {
        return Err(End::Sent(CloseCode::Again, "there are as many viewers as may watch: come back later"));
    };
    let sent = socket
        .send(Packet::text(json!({ "welcome": service.about }).to_string()))
        .and_then(|()| socket.send(Packet::binary(service.surface.to_vec())));
    match sent {
        Ok(()) => Ok(number),
        Err(_) => {
            service.hub.leave(number);
            Err(End::Gone)
        }
    }
}

fn is_silence(error: &Error) -> bool {
    matches!(error, Error::Io(io) if matches!(io.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut))
}

impl Viewer<'_> {
    fn watch(&mut self) -> End {
        let (mut heard, mut pinged) = (Instant::now(), Instant::now());
        loop {
            let taken = match self.socket.read() {
                Ok(packet) => {
                    heard = Instant::now();
                    self.take(packet)
                }
                Err(error) if is_silence(&error) => Ok(()),
                Err(Error::Capacity(_)) => Err(End::Sent(CloseCode::Size, "messages are at most 64 KiB")),
                Err(_) => Err(End::Gone),
            };
            let done = taken.and_then(|()| self.send_what_is_new()).and_then(|()| {
                if pinged.elapsed() > self.service.silence / 4 {
                    pinged = Instant::now();
                    self.socket.send(Packet::Ping(Vec::new().into()))?;
                }
                Ok(())
            });
            match done {
                Err(end) => return end,
                Ok(()) if heard.elapsed() > self.service.silence => return End::Gone,
                Ok(()) if self.service.hub.is_over() => return End::Sent(CloseCode::Away, "the run has ended"),
                Ok(()) => {}
            }
        }
    }

    fn take(&mut self, packet: Packet) -> Result<(), End> {
        let text = match packet {
            Packet::Text(text) => text,
            Packet::Close(_) => return Err(End::Gone),
            Packet::Ping(_) | Packet::Pong(_) => return Ok(()),
            Packet::Binary(_) | Packet::Frame(_) => return self.refuse("messages are text"),
        };
        let hub = &self.service.hub;
        match Message::parse(&text) {
            Ok(Message::Ready { show }) => {
                self.wants = Some(show);
                hub.want(self.number, Some(show));
                Ok(())
            }
            Ok(Message::Command(command)) => {
                let asked = command.check(&self.service.limits);
                match asked.and_then(|()| hub.order(self.number, command).map_err(String::from)) {
                    Ok(()) => Ok(()),
                    Err(reason) => self.say(&refused(&reason)),
                }
            }
            Ok(Message::Ask {}) => {
                hub.ask(self.number);
                Ok(())
            }
            Ok(Message::HandOver {}) => {
                hub.hand_over(self.number);
                Ok(())
            }
            Ok(Message::Journal {}) => match std::fs::read_to_string(&self.service.journal) {
                Ok(text) => self.say(&json!({ "journal": { "text": text } })),
                Err(error) => self.say(&refused(&format!("the journal cannot be read: {error}"))),
            },
            Ok(Message::Hello { .. }) => self.refuse("you have said hello"),
            Err(problem) => self.refuse(&problem),
        }
    }

    /// Answers what makes no sense, but not for ever.
    fn refuse(&mut self, reason: &str) -> Result<(), End> {
        self.senseless += 1;
        if self.senseless > PATIENCE {
            return Err(End::Sent(CloseCode::Policy, "too many messages that make no sense"));
        }
        self.say(&refused(reason))
    }

    fn say(&mut self, what: &Value) -> Result<(), End> {
        Ok(self.socket.send(Packet::text(what.to_string()))?)
    }

    /// Bytes of a kind of their own.
    fn send(&mut self, kind: u8, bytes: &[u8]) -> Result<(), End> {
        Ok(self.socket.send(Packet::binary([&[kind, 0, 0, 0], bytes].concat()))?)
    }

    fn send_what_is_new(&mut self) -> Result<(), End> {
        let hub = &self.service.hub;
        for told in hub.told(self.number) {
            match told {
                Told::Text(text) => self.say(&note(&text))?,
                Told::State(state) => self.send(2, &state)?,
            }
        }
        if let Some(scars) = hub.scars(&mut self.seen_scars) {
            self.send(3, &scars)?;
        }
        if let Some(news) = hub.news(self.number, &mut self.seen) {
            self.say(&news)?;
        }
        let Some(kind) = self.wants else { return Ok(()) };
        let is_fresh =
            |sequence: u32| self.sent.is_none_or(|(sent, last)| sequence > last || sequence == last && kind != sent);
        let fresh = hub.newest(kind).filter(|frame| is_fresh(frame.sequence));
        if let Some(frame) = fresh {
            self.wants = None;
            self.sent = Some((kind, frame.sequence));
            hub.want(self.number, None);
            self.socket.send(Packet::binary(frame.bytes.to_vec()))?;
        }
        Ok(())
    }
}
