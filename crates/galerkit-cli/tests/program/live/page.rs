//! A picture of the page, as a screenshot has it: read back by the browser itself, which knows how.

use super::devtools::Browser;
use serde_json::{Value, json};

/// A screenshot whose pixels the page can be asked for. What WebGL has drawn cannot be read otherwise once it is shown.
pub struct Shot(Value);

impl Shot {
    /// Takes one; where `GALERKIT_SHOTS` names a folder, keeps it there.
    pub fn new(browser: &mut Browser, name: &str) -> Self {
        let data = browser.call("Page.captureScreenshot", json!({ "format": "png" }))["data"].take();
        if let Some(folder) = std::env::var_os("GALERKIT_SHOTS") {
            let path = std::path::Path::new(&folder).join(format!("{name}.png"));
            std::fs::write(path, decoded(data.as_str().unwrap())).unwrap();
        }
        Self(data)
    }

    /// The value of an expression over `at(x, y)`, the colour of a pixel, and `view`, the box of the picture.
    pub fn value(&self, browser: &mut Browser, expression: &str) -> Value {
        let script = format!(
            "(async () => {{
                const bytes = Uint8Array.from(atob({}), (letter) => letter.charCodeAt(0));
                const image = await createImageBitmap(new Blob([bytes], {{ type: 'image/png' }}));
                const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
                context.drawImage(image, 0, 0);
                const at = (x, y) => Array.from(context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data.slice(0, 3));
                const view = document.getElementById('view').getBoundingClientRect();
                return {expression};
            }})()",
            self.0
        );
        browser.value(&script)
    }

    /// Variance of the luminance, from 0 to 255, over the middle of the picture.
    pub fn variance(&self, browser: &mut Browser) -> f64 {
        let expression = "(() => {
            const { data } = context.getImageData(view.x + view.width / 4, view.y + view.height / 4, view.width / 2, view.height / 2);
            let [sum, squares, count] = [0, 0, data.length / 4];
            for (let k = 0; k < data.length; k += 4) {
                const luminance = 0.2126 * data[k] + 0.7152 * data[k + 1] + 0.0722 * data[k + 2];
                sum += luminance;
                squares += luminance * luminance;
            }
            return squares / count - (sum / count) ** 2;
        })()";
        self.value(browser, expression).as_f64().unwrap()
    }
}

/// Base64.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|letter| *letter != b'=').map(digit).collect();
    letters
        .chunks(4)
        .flat_map(|four| {
            let bits = four.iter().fold(0u32, |bits, digit| bits << 6 | u32::from(*digit)) << (6 * (4 - four.len()));
            bits.to_be_bytes()[1..four.len()].to_vec()
        })
        .collect()
}
