//! Maps that this crate knows nothing of: kernel source and arrays are what the map brings along. One without is a map
//! for the host: its products are computed there.

use super::{Interface, Map};
use crate::error::{Result, SOURCE_OF};
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::Scalar;
use galerkit_linalg::map::{DeviceSource, Grid, LinearMap, Protocol, Word};
use std::sync::Arc;

const WHAT: &str = "an array of a map";

pub(super) fn load<S: Scalar>(gpu: &Arc<Gpu>, map: &dyn LinearMap<S>) -> Result<Map> {
    let mut copy = map.clone_map();
    let values = copy.take_values();
    let values = if values.is_empty() { None } else { Some(Buffer::from_slice(gpu, "the values of a map", &values)?) };
    let (shape, bytes) = (map.shape(), map.bytes());
    let name = map.name();
    let Some(DeviceSource { source, protocol, words: members, lanes, grid }) = map.device_source() else {
        let (source, words, buffers) = (String::new(), Vec::new(), Vec::new());
        return Ok(Map {
            interface: Interface::Host,
            source,
            words,
            shape,
            bytes,
            lanes: 1,
            holds: false,
            grid: Grid::Rows,
            buffers,
            values,
        });
    };
    let interface = match protocol {
        Protocol::Rows => Interface::Rows,
        Protocol::Elements { passes, energy, threads, registers } => {
            Interface::Elements { passes, energy, threads, registers }
        }
        Protocol::Alone { passes } => Interface::Passes(passes),
    };
    let (mut words, mut buffers) = (Vec::with_capacity(members.len()), Vec::new());
    for member in members {
        let buffer = match member {
            Word::Number(number) => {
                words.push(number);
                continue;
            }
            Word::Values => {
                words.push(values.as_ref().map_or(0, Buffer::address));
                continue;
            }
            Word::Array(data) => Buffer::from_slice(gpu, WHAT, &data)?,
            Word::Room(bytes) => Buffer::zeroed(gpu, WHAT, bytes)?,
        };
        words.push(buffer.address());
        buffers.push(buffer);
    }
    // So that a compiler that complains names the map, and the line in its own source.
    let source = format!("\n#line 1 \"{SOURCE_OF}{name}\"\n{source}\n#line 1 \"the kernel after it\"\n");
    Ok(Map { interface, source, words, shape, bytes, lanes: lanes.max(1), holds: false, grid, buffers, values })
}
