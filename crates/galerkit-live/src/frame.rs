//! The surface and its values as bytes, all little-endian, offsets multiples of 4 up to the values:
//!
//! | surface: bytes | | frame: bytes | |
//! |---|---|---|---|
//! | 0 | `0` | 0 to 3 | `1`, kind, bytes a value, 1 if it goes on |
//! | 4, 8 | u32 vertices, triangles | 4 | u32 sequence number |
//! | 12 | u32 0 | 8, 16 | f64 step, time in ms |
//! | 16 | f32 positions, three a vertex | 24, 28, 32 | f32 wall seconds a simulated one, CG iterations a step, share excited |
//! | then | u32 corners, three a triangle | 36, 40 | f32 what the least and the greatest value stand for |
//! | then | u32 the node of each vertex | 44, 48, 52 | u32 vertices, samples, numbers a sample |
//! | | | 56 | f32 samples: time, electrograms, phi of the probe (NaN for none); then the values |
//!
//! A message that begins with `2` is a state of the run, from byte 4 on; with `3` how vertices conduct, a byte each,
//! 255 as at first.

use serde::{Deserialize, Serialize};

/// What values are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The potential, a byte each.
    Potential,
    /// The time of activation, two bytes each; 0 is never.
    Activation,
    /// From activation to repolarisation, two bytes each; 0 is not yet.
    Duration,
    /// How far cells are round their loop, a byte each: 0 and 255 are the same angle.
    Phase,
}

impl Kind {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::Potential, Self::Activation, Self::Duration, Self::Phase];

    /// Bytes of a value.
    pub fn bytes(self) -> usize {
        if matches!(self, Self::Potential | Self::Phase) { 1 } else { 2 }
    }
}

/// What is drawn.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// In mm.
    pub positions: Vec<[f32; 3]>,
    /// Corners.
    pub triangles: Vec<[u32; 3]>,
    /// The node of the tissue that each vertex shows.
    pub nodes: Vec<u32>,
}

impl Surface {
    /// As bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![0u8; 4];
        for count in [self.positions.len(), self.triangles.len(), 0] {
            bytes.extend((count as u32).to_le_bytes());
        }
        bytes.extend(self.positions.iter().flatten().flat_map(|x| x.to_le_bytes()));
        let numbers = self.triangles.iter().flatten().chain(&self.nodes);
        bytes.extend(numbers.flat_map(|x| x.to_le_bytes()));
        bytes
    }
}

/// What a frame says of its moment.
#[derive(Clone, Debug)]
pub struct Header {
    /// What its values are of.
    pub kind: Kind,
    /// Whether it goes on.
    pub playing: bool,
    /// Which state of the run it shows.
    pub sequence: u32,
    /// Steps since the run began.
    pub step: u64,
    /// In ms.
    pub time: f64,
    /// Wall seconds a simulated second.
    pub pace: f32,
    /// CG iterations a step.
    pub iterations: f32,
    /// The share of nodes that are excited.
    pub excited: f32,
    /// What the least and the greatest value stand for.
    pub range: [f32; 2],
}

impl Header {
    /// A frame as bytes: time and electrograms of some moments, then the values.
    pub fn encode(&self, samples: &[Vec<f32>], values: &[u8]) -> Vec<u8> {
        let numbers = samples.first().map_or(0, Vec::len);
        let mut bytes = vec![1, self.kind as u8, self.kind.bytes() as u8, u8::from(self.playing)];
        bytes.extend(self.sequence.to_le_bytes());
        bytes.extend((self.step as f64).to_le_bytes());
        bytes.extend(self.time.to_le_bytes());
        let [low, high] = self.range;
        for number in [self.pace, self.iterations, self.excited, low, high] {
            bytes.extend(number.to_le_bytes());
        }
        for count in [values.len() / self.kind.bytes(), samples.len(), numbers] {
            bytes.extend((count as u32).to_le_bytes());
        }
        bytes.extend(samples.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend_from_slice(values);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_where_the_table_says() {
        let header = Header {
            kind: Kind::Activation,
            playing: true,
            sequence: 7,
            step: 12,
            time: 3.0,
            pace: 0.5,
            iterations: 4.0,
            excited: 0.25,
            range: [0.0, 6553.4],
        };
        let bytes = header.encode(&[vec![1.0, 2.0], vec![3.0, 4.0]], &[1, 2, 3, 4]);
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(bytes[..4], [1, 1, 2, 1]);
        assert_eq!([number(4), number(44), number(48), number(52)], [7, 2, 2, 2]);
        assert_eq!(f64::from_le_bytes(bytes[16..24].try_into().unwrap()), 3.0);
        assert_eq!(f32::from_bits(number(68)), 4.0);
        assert_eq!(bytes[72..], [1, 2, 3, 4]);
        let surface = Surface { positions: vec![[1.0; 3]; 3], triangles: vec![[0, 1, 2]], nodes: vec![4, 5, 6] };
        assert_eq!(surface.encode().len(), 16 + 36 + 12 + 12);
    }
}
