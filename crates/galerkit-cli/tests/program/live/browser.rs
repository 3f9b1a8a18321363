//! The page in a real Chromium, touched by a real mouse: one browser and one run for all of it, because both take their
//! time to start.

use super::devtools::Browser;
use super::page::Shot;
use super::{Folder, Running, SLAB};
use serde_json::Value;
use std::time::{Duration, Instant};

/// A picture of one colour has no variance at all.
const NOT_BLANK: f64 = 20.0;
/// What rounding and smoothing may change of a colour.
const NEAR: f64 = 6.0;

struct Visit {
    folder: Folder,
    browser: Browser,
}

impl Visit {
    fn number(&mut self, expression: &str) -> f64 {
        let value = self.browser.value(expression);
        value.as_f64().unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// Waits for the entry of the journal with the command of this name that comes as number `count`.
    fn journalled(&self, name: &str, count: usize) -> Value {
        let begun = Instant::now();
        loop {
            let text = self.folder.read("j");
            let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap_or_default());
            let mut found = lines.filter(|line| line["command"].get(name).is_some());
            if let Some(entry) = found.nth(count - 1) {
                return entry;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "no {name} in {text}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The middle of the picture on the screen.
    fn middle(&mut self) -> [f64; 2] {
        let place = self.browser.value(
            "(() => { const box = document.getElementById('view').getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; })()",
        );
        [0, 1].map(|d| place[d].as_f64().unwrap())
    }

    /// The node under the middle, and its byte.
    fn middle_node(&mut self) -> (f64, f64) {
        self.browser.value(
            "window.middle = (() => { const c = document.getElementById('view'); \
             return galerkit.nodeAt(c.clientWidth / 2, c.clientHeight / 2); })()",
        );
        let byte = self.number("galerkit.frame.values[galerkit.surface.nodes.indexOf(middle)]");
        (self.number("middle"), byte)
    }

    /// The pixel in the middle has the colour that the map gives the byte that was sent. Waits until what the page has
    /// is on the screen: it draws in the next animation frame, the one after it shows that.
    fn drawn(&mut self) {
        self.browser
            .value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
    }

    fn middle_follows_the_map(&mut self) {
        let [x, y] = self.middle();
        let shot = Shot::new(&mut self.browser, "colour");
        let (_, byte) = self.middle_node();
        let pixel = shot.value(&mut self.browser, &format!("at({x}, {y})"));
        let expected = self.browser.value(&format!("galerkit.colour({byte} / 255)"));
        for c in 0..3 {
            let [shown, meant] = [&pixel, &expected].map(|colour| colour[c].as_f64().unwrap());
            assert!((shown - meant).abs() <= NEAR, "byte {byte}: {pixel} instead of {expected}");
        }
    }

    fn is_not_blank(&mut self, name: &str) {
        let shot = Shot::new(&mut self.browser, name);
        let variance = shot.variance(&mut self.browser);
        assert!(variance > NOT_BLANK, "{name}: the variance of the luminance is {variance}");
    }
}

#[test]
fn the_page_in_a_real_browser() {
    let Some(browser) = Browser::start() else { return };
    let folder = Folder::new();
    let running = Running::new(&folder, &format!("{SLAB} --live --paused --speed 0.05 --journal j --checkpoint state"));
    let mut visit = Visit { folder, browser };
    visit.browser.open(&running.url);
    assert_eq!(visit.browser.value("galerkit.view.name"), "WebGL2", "else nothing below means anything");
    visit.is_not_blank("first");

    a_click_stimulates_what_is_under_it(&mut visit);
    playing_and_pausing(&mut visit);
    keys_do_what_the_mouse_does(&mut visit);
    a_probe_shows_its_trace(&mut visit);
    a_stimulus_has_the_strength_of_the_slider(&mut visit);
    a_drag_ablates_and_undo_takes_it_back(&mut visit);
    maps_are_shown(&mut visit);
    a_lost_context_comes_back(&mut visit);
    a_lost_connection_comes_back(&mut visit);
    nothing_leaves_the_origin(&visit, &running);
    without_webgl_and_motion(&mut visit, &running);
    assert_eq!(visit.browser.complaints(), [""; 0]);

    drop(visit.browser); // killed: the run goes on without it
    let mut viewer = running.viewer();
    viewer.step(1);
    running.interrupt().exits(130);
}

fn a_click_stimulates_what_is_under_it(visit: &mut Visit) {
    visit.browser.click_on("light"); // without light colours are those of the legend
    visit.browser.wait("!document.getElementById('light').checked");
    visit.middle_follows_the_map();
    let place = visit.middle();
    let (node, before) = visit.middle_node();
    let sequence = visit.number("galerkit.frame.sequence");
    visit.browser.click(place);
    assert_eq!(
        visit.journalled("stimulate", 1)["command"]["stimulate"]["node"].as_f64(),
        Some(node),
        "the journal has the node under the mouse"
    );
    visit.browser.wait(&format!("galerkit.frame.sequence > {sequence}"));
    let (_, after) = visit.middle_node();
    assert!(before == 21.0 && after == 234.0, "phi was 0 and is 1: {before} {after}");
    visit.drawn();
    visit.middle_follows_the_map();
    visit.browser.click_on("light");
}

fn playing_and_pausing(visit: &mut Visit) {
    let before = visit.number("galerkit.frame.time");
    visit.browser.click_on("play");
    visit.browser.wait(&format!("galerkit.frame.time > {before} + 3"));
    // Frames may come before the page knows that it plays, and then the button would say play again.
    visit.browser.wait("document.getElementById('play').textContent === 'Pause'");
    visit.browser.click_on("play");
    visit.browser.wait("document.getElementById('play').textContent === 'Play'");
    let paused = visit.journalled("pause", 1)["time"].as_f64().unwrap();
    visit.browser.wait(&format!("galerkit.frame.time === {paused}"));
    let stopped = visit.number("galerkit.frame.sequence");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(visit.number("galerkit.frame.sequence"), stopped, "a pause stops the sequence numbers");
    visit.is_not_blank("wave");
    let before = visit.number("galerkit.frame.time");
    visit.browser.click_on("step");
    visit.browser.wait(&format!("galerkit.frame.time === {before} + 1"));
}

fn keys_do_what_the_mouse_does(visit: &mut Visit) {
    visit.browser.value("document.getElementById('view').focus()");
    let turned = "Array.from(galerkit.camera.rotation).join()";
    let before = visit.browser.value(turned);
    visit.browser.key("ArrowLeft", "");
    assert_ne!(visit.browser.value(turned), before);
    visit.browser.key("Home", "");
    let (node, _) = visit.middle_node();
    visit.browser.key("Enter", "\r");
    assert_eq!(visit.journalled("stimulate", 2)["command"]["stimulate"]["node"].as_f64(), Some(node));
    visit.browser.key(" ", " ");
    visit.browser.wait("document.getElementById('play').textContent === 'Pause'");
    visit.browser.key(" ", " ");
    visit.browser.wait("document.getElementById('play').textContent === 'Play'");
    visit.browser.wait("document.getElementById('summary').textContent.includes('percent excited')");
}

fn a_probe_shows_its_trace(visit: &mut Visit) {
    let (place, alt) = (visit.middle(), 1);
    let (node, _) = visit.middle_node();
    visit.browser.mouse("mousePressed", place, alt);
    visit.browser.mouse("mouseReleased", place, alt);
    assert_eq!(visit.journalled("probe", 1)["command"]["probe"]["node"].as_f64(), Some(node));
    visit.browser.wait(&format!("galerkit.strip.node === {node}"));
    visit.browser.click_on("step");
    // What the trace ends with is what the byte of the node says.
    let byte = "galerkit.frame.values[galerkit.surface.nodes.indexOf(middle)]";
    visit.browser.wait(&format!("Math.abs(galerkit.strip.samples.at(-1).at(-1) - (1.2 * {byte} / 255 - 0.1)) < 0.01"));
}

fn a_stimulus_has_the_strength_of_the_slider(visit: &mut Visit) {
    let move_to = |value: &str| {
        format!(
            "(() => {{ const s = document.getElementById('strength'); s.value = {value}; s.dispatchEvent(new Event('input')); }})()"
        )
    };
    visit.browser.value(&move_to("0.6"));
    assert_eq!(visit.browser.value("document.getElementById('strength-shown').value"), "0.60");
    let place = visit.middle();
    visit.browser.click(place);
    assert_eq!(visit.journalled("stimulate", 3)["command"]["stimulate"]["potential"].as_f64(), Some(0.6));
    visit.browser.value(&move_to("1"));
}

fn a_drag_ablates_and_undo_takes_it_back(visit: &mut Visit) {
    let [x, y] = visit.middle();
    let shift = 8;
    visit.browser.mouse("mousePressed", [x, y], shift);
    for k in 1..6 {
        visit.browser.mouse("mouseMoved", [x + 12.0 * f64::from(k), y], shift);
    }
    visit.browser.mouse("mouseReleased", [x + 60.0, y], shift);
    assert!(visit.journalled("ablate", 1)["command"]["ablate"]["nodes"].as_array().unwrap().len() > 1);
    visit.browser.wait("galerkit.view.scars?.some((byte) => byte < 250)");
    visit.is_not_blank("scar");
    visit.browser.wait("!document.getElementById('undo').disabled");
    visit.browser.click_on("undo");
    visit.journalled("undo", 1);
    visit.browser.wait("galerkit.view.scars.every((byte) => byte === 255)");
}

fn maps_are_shown(visit: &mut Visit) {
    for kind in ["activation", "duration", "phase", "potential"] {
        visit.browser.value(&format!("document.querySelector('input[value={kind}]').click()"));
        visit.browser.wait(&format!("galerkit.frame.kind === '{kind}'"));
    }
    visit.browser.value("document.querySelector('input[value=phase]').click()");
    visit.browser.wait("galerkit.frame.kind === 'phase' && galerkit.frame.bytes === 1");
    visit.is_not_blank("phase");
    visit.browser.value("document.querySelector('input[value=activation]').click()");
    visit.browser.wait("galerkit.frame.kind === 'activation' && galerkit.frame.values.some((value) => value > 1)");
    visit.is_not_blank("activation");
    visit.browser.value("document.querySelector('input[value=potential]').click()");
    visit.browser.wait("galerkit.frame.kind === 'potential'");
}

fn a_lost_context_comes_back(visit: &mut Visit) {
    visit.browser.value("window.loss = galerkit.view.gl.getExtension('WEBGL_lose_context'); loss.loseContext()");
    visit.browser.wait("galerkit.view.isLost");
    visit.browser.value("loss.restoreContext()");
    visit.browser.wait("galerkit.view.isLost === false && galerkit.view.losses === 1");
    visit.drawn();
    visit.is_not_blank("restored");
}

fn a_lost_connection_comes_back(visit: &mut Visit) {
    let opened = visit.number("galerkit.connection.opened");
    visit.browser.value("galerkit.connection.socket.close()");
    visit.browser.wait(&format!("galerkit.connection.opened > {opened}"));
    let frames = visit.number("galerkit.connection.frames");
    visit.browser.wait("!document.getElementById('step').disabled"); // and it controls again
    visit.browser.click_on("step");
    visit.browser.wait(&format!("galerkit.connection.frames > {frames}"));
}

fn nothing_leaves_the_origin(visit: &Visit, running: &Running) {
    let requests = visit.browser.requests();
    assert!(requests.len() > 10, "{requests:?}");
    let [page, socket] = ["http", "ws"].map(|scheme| format!("{scheme}://{}/", running.host()));
    for request in requests.iter().filter(|request| !request.starts_with("about:") && !request.starts_with("blob:")) {
        assert!(request.starts_with(&page) || request.starts_with(&socket), "{request}");
    }
    let token = running.url.split_once('#').unwrap().1;
    assert!(!requests.iter().any(|request| request.contains(token)), "the token is in no request");
}

/// A browser without WebGL2 shows the same; one whose user wants little motion begins with a pause.
fn without_webgl_and_motion(visit: &mut Visit, running: &Running) {
    let reduced = serde_json::json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
    visit.browser.call("Emulation.setEmulatedMedia", reduced);
    visit.browser.open(&running.url.replace("/#", "/?plain#"));
    assert!(visit.browser.value("galerkit.view.name").as_str().unwrap().contains("2D canvas"));
    visit.drawn();
    visit.is_not_blank("plain");
    visit.browser.wait("document.getElementById('speed').value === '0.025'");
    let pauses = visit.folder.read("j").matches("\"pause\"").count();
    assert!(pauses >= 3, "one by button, one by key, one by itself");
    let stimuli = visit.folder.read("j").matches("\"stimulate\"").count();
    let place = visit.middle();
    visit.browser.click(place);
    visit.journalled("stimulate", stimuli + 1);
}
