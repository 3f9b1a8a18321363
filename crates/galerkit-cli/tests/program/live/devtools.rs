//! Chromium by its DevTools protocol: one process, one socket, one page.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, ErrorKind};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// Names under which it is known, as `cargo xtask test` looks for it.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// How long something may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    child: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: String,
    last: u64,
    /// What it has told without being asked.
    pub events: Vec<Value>,
    _profile: tempfile::TempDir,
}

fn found() -> Option<PathBuf> {
    let named = std::env::var_os("GALERKIT_CHROMIUM").map(PathBuf::from);
    let known = named.into_iter().chain(NAMES.map(PathBuf::from));
    known.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok_and(|it| it.status.success()))
}

impl Browser {
    /// Starts one with an empty page; none, after saying so, where there is none.
    pub fn start() -> Option<Self> {
        let Some(program) = found() else {
            galerkit_testkit::skip("no browser: install chromium, or set GALERKIT_CHROMIUM");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let mut command = Command::new(program);
        command.args(["--headless", "--remote-debugging-port=0", "--window-size=1280,800", "--no-first-run"]);
        command.args(["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage"]);
        // Only root needs it: there the sandbox does not start.
        let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
        command.args(is_root.then_some("--no-sandbox")).arg(format!("--user-data-dir={}", profile.path().display()));
        let mut child = command.arg("about:blank").stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        let address = loop {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "chromium has ended");
            if let Some(address) = line.trim().strip_prefix("DevTools listening on ") {
                break address.to_owned();
            }
        };
        std::thread::spawn(move || stderr.lines().for_each(drop)); // or it would wait for a reader
        let (socket, _) = tungstenite::connect(address).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
        }
        let mut browser =
            Self { child, socket, session: String::new(), last: 0, events: Vec::new(), _profile: profile };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().unwrap().into();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Calls a method; its result.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut request = json!({ "id": self.last, "method": method, "params": parameters });
        if !self.session.is_empty() {
            request["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(request.to_string())).unwrap();
        loop {
            let text = match self.socket.read() {
                Ok(Message::Text(text)) => text,
                Ok(_) => continue,
                // A signal is no answer: a machine that was stopped for a while sends one.
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => panic!("{method}: {error}"),
            };
            let mut message: Value = serde_json::from_str(&text).unwrap();
            match message["id"].as_u64() {
                Some(id) if id == self.last => {
                    assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                    return message["result"].take();
                }
                Some(_) => {}
                None => self.events.push(message),
            }
        }
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let mut result = self.call("Runtime.evaluate", parameters);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].take()
    }

    /// Waits until an expression holds.
    #[track_caller]
    pub fn wait(&mut self, expression: &str) {
        let begun = Instant::now();
        while self.value(&format!("!!({expression})")) != true {
            assert!(begun.elapsed() < PATIENCE, "waited in vain for {expression}; {:?}", self.complaints());
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Opens an address and waits for its first frame.
    pub fn open(&mut self, url: &str) {
        // From one fragment to another nothing would be loaded.
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.call("Page.navigate", json!({ "url": url }));
        self.wait("window.galerkit?.frame");
    }

    /// The mouse at a place: "mousePressed", "mouseMoved", "mouseReleased".
    pub fn mouse(&mut self, kind: &str, [x, y]: [f64; 2], modifiers: u32) {
        let button = json!({
            "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1, "modifiers": modifiers
        });
        self.call("Input.dispatchMouseEvent", button);
    }

    /// A click of the mouse.
    pub fn click(&mut self, place: [f64; 2]) {
        self.mouse("mousePressed", place, 0);
        self.mouse("mouseReleased", place, 0);
    }

    /// A click on an element.
    pub fn click_on(&mut self, id: &str) {
        let place = self.value(&format!(
            "(() => {{ const element = document.getElementById('{id}'); element.scrollIntoView({{ block: 'center' }}); \
             const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        self.click([0, 1].map(|d| place[d].as_f64().unwrap()));
    }

    /// A key.
    pub fn key(&mut self, key: &str, text: &str) {
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key, "text": text }));
        }
    }

    /// What the page complains about: exceptions, and what its policy forbids.
    pub fn complaints(&self) -> Vec<String> {
        let is_complaint = |event: &&Value| {
            event["method"] == "Runtime.exceptionThrown"
                || (event["method"] == "Log.entryAdded" && event["params"]["entry"]["level"] == "error")
        };
        self.events.iter().filter(is_complaint).map(|event| event["params"].to_string()).collect()
    }

    /// Every address that was asked for.
    pub fn requests(&self) -> Vec<String> {
        let address = |event: &Value| {
            let parameters = &event["params"];
            match event["method"].as_str()? {
                "Network.requestWillBeSent" => parameters["request"]["url"].as_str().map(String::from),
                "Network.webSocketCreated" => parameters["url"].as_str().map(String::from),
                _ => None,
            }
        };
        self.events.iter().filter_map(address).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
