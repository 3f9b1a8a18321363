//! A mesh from a file or from the gallery.

use anyhow::{Context, Result, bail};
use galerkit_fem::io::{Contents, format_of, read_contents};
use galerkit_fem::mesh::generate;
use std::collections::BTreeMap;
use std::path::Path;

/// A mesh and where it comes from.
pub struct Source {
    /// What was read or made.
    pub contents: Contents,
    /// The format of the file, or `gallery`.
    pub format: &'static str,
}

const NAMES: &str = "rectangle, box, lshape, lprism, fichera, ball, cylinder, shell";

/// Reads or makes a mesh.
pub fn load(name: &str) -> Result<Source> {
    if let Some(made) = name.strip_prefix("gallery:") {
        return Ok(Source { contents: made_mesh(made)?, format: "gallery" });
    }
    let path = Path::new(name);
    let contents = read_contents(path)?;
    Ok(Source { contents, format: format_of(path)?.map_or("unknown", |format| format.name()) })
}

fn made_mesh(text: &str) -> Result<Contents> {
    let (name, rest) = text.split_once('?').unwrap_or((text, ""));
    let mut numbers = parameters(name, rest)?;
    let mut number = |key: &str, default: usize| numbers.remove(key).unwrap_or(default);
    let (n, simplices) = (number("n", 2), number("simplices", 0));
    let mut mesh = match name {
        "rectangle" => generate::rectangle([0.0; 2], [1.0; 2], [n; 2])?,
        "box" => generate::brick([0.0; 3], [1.0; 3], [n; 3])?,
        "lshape" => generate::l_shape(n)?,
        "lprism" => generate::l_prism(n)?,
        "fichera" => generate::fichera(n)?,
        "ball" => generate::ball(1.0, n, number("order", 2))?,
        "cylinder" => generate::cylinder(1.0, 2.0, n, number("layers", 2 * n), number("order", 2))?,
        "shell" => generate::thick_shell(0.5, 1.0, n, number("layers", n), number("order", 2))?,
        _ => bail!("there is no mesh gallery:{name}; there are {NAMES}"),
    };
    if let Some(unknown) = numbers.keys().next() {
        bail!("gallery:{name} has no parameter '{unknown}'");
    }
    if simplices > 0 {
        mesh = generate::to_simplices(&mesh)?;
    }
    Ok(Contents { mesh, ..Contents::default() })
}

fn parameters(name: &str, text: &str) -> Result<BTreeMap<String, usize>> {
    let mut parameters = BTreeMap::new();
    for pair in text.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').with_context(|| format!("gallery:{name}: '{pair}' is no key=value"))?;
        let value = value.parse().with_context(|| format!("gallery:{name}: {key} must be a whole number"))?;
        parameters.insert(key.to_string(), value);
    }
    Ok(parameters)
}
