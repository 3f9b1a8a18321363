//! A viewer without eyes, to measure what being watched costs: `watch URL SECONDS [HZ]` asks a live run for frames so
//! often and says what came. Beside it `galerkit heart --live --speed max --end MS` says how long the run took; without
//! a viewer it takes that less.

use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::http::Request;
use tungstenite::{Message, WebSocket};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, seconds, rest @ ..] = &arguments[..] else { return Err("watch URL SECONDS [HZ]".into()) };
    let hertz: f64 = rest.first().map_or(Ok(30.0), |text| text.parse())?;
    let length = Duration::from_secs_f64(seconds.parse()?);
    let mut socket = enter(url)?;
    let (begun, mut frames, mut bytes, mut skipped, mut last) = (Instant::now(), 0u32, 0usize, 0u32, None);
    while begun.elapsed() < length {
        socket.send(Message::text(r#"{"ready":{"show":"potential"}}"#))?;
        let frame = loop {
            match socket.read() {
                Ok(Message::Binary(frame)) if frame[0] == 1 => break frame,
                Ok(Message::Close(_)) | Err(_) => return report(begun.elapsed(), frames, bytes, skipped),
                Ok(_) => {}
            }
        };
        let sequence = u32::from_le_bytes(frame[4..8].try_into()?);
        skipped += last.map_or(0, |last: u32| sequence.saturating_sub(last + 1));
        (last, frames, bytes) = (Some(sequence), frames + 1, bytes + frame.len());
        let next = Duration::from_secs_f64(f64::from(frames) / hertz);
        std::thread::sleep(next.saturating_sub(begun.elapsed()));
    }
    report(begun.elapsed(), frames, bytes, skipped)
}

fn enter(url: &str) -> Outcome<WebSocket<TcpStream>> {
    let (address, token) = url.split_once("/#").ok_or("the address has no token")?;
    let host = address.strip_prefix("http://").ok_or("the address begins with http://")?;
    let request = Request::builder()
        .uri(format!("ws://{host}/socket"))
        .header("Host", host)
        .header("Origin", address)
        .header("Connection", "Upgrade")
        .header("Upgrade", "websocket")
        .header("Sec-WebSocket-Version", "13")
        .header("Sec-WebSocket-Key", tungstenite::handshake::client::generate_key())
        .body(())?;
    let (mut socket, _) = tungstenite::client(request, TcpStream::connect(host)?).map_err(|error| error.to_string())?;
    socket.send(Message::text(format!(r#"{{"hello":{{"token":"{token}"}}}}"#)))?;
    Ok(socket)
}

fn report(took: Duration, frames: u32, bytes: usize, skipped: u32) -> Outcome<()> {
    let seconds = took.as_secs_f64();
    let (rate, size) = (f64::from(frames) / seconds, bytes as f64 / f64::from(frames.max(1)));
    println!("{frames} frames in {seconds:.1} s ({rate:.1} Hz), {size:.0} bytes each, {skipped} states skipped");
    Ok(())
}
