//! The files of the page, which are part of the program.

/// Path, type, bytes.
type File = (&'static str, &'static str, &'static [u8]);

const SCRIPT: &str = "text/javascript; charset=utf-8";

const FILES: [File; 13] = [
    ("/", "text/html; charset=utf-8", include_bytes!("../page/page.html")),
    ("/page.css", "text/css; charset=utf-8", include_bytes!("../page/page.css")),
    ("/icon.svg", "image/svg+xml", include_bytes!("../page/icon.svg")),
    ("/main.js", SCRIPT, include_bytes!("../page/main.js")),
    ("/camera.js", SCRIPT, include_bytes!("../page/camera.js")),
    ("/colours.js", SCRIPT, include_bytes!("../page/colours.js")),
    ("/controls.js", SCRIPT, include_bytes!("../page/controls.js")),
    ("/flash.js", SCRIPT, include_bytes!("../page/flash.js")),
    ("/flat.js", SCRIPT, include_bytes!("../page/flat.js")),
    ("/gestures.js", SCRIPT, include_bytes!("../page/gestures.js")),
    ("/socket.js", SCRIPT, include_bytes!("../page/socket.js")),
    ("/strip.js", SCRIPT, include_bytes!("../page/strip.js")),
    ("/surface.js", SCRIPT, include_bytes!("../page/surface.js")),
];

/// The file at a path.
pub fn file(path: &str) -> Option<File> {
    FILES.into_iter().find(|file| file.0 == path)
}
