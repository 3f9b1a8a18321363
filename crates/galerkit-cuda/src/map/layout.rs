//! A map before it is uploaded: the words of its `struct Map` in order, arrays still on the host and borrowed from the
//! matrix where the format's own arrays serve. Pure, so that tests can read what a kernel will read.

use super::{Interface, Map};
use crate::error::Result;
use crate::launch::{Buffer, Gpu};
use bytemuck::Pod;
use galerkit_linalg::map::Grid;
use std::borrow::Cow;
use std::sync::Arc;

/// An array of any type, as bytes.
pub(super) trait Bytes {
    fn bytes(&self) -> &[u8];
}

impl<T: Pod> Bytes for Cow<'_, [T]> {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self)
    }
}

/// One member of `struct Map`.
pub(super) enum Word<'a> {
    /// A number.
    Number(u64),
    /// The address of a part of the values.
    Values(&'static str, Box<dyn Bytes + 'a>),
    /// The address of an array.
    Array(&'static str, Box<dyn Bytes + 'a>),
    /// The address of room for so many bytes, which the kernels fill.
    Room(&'static str, usize),
    /// The address of an array that is on the GPU already.
    Made(Buffer),
    /// The address of all values, which are on the GPU already.
    MadeValues(Buffer),
}

/// The arrays of a map as kernels want them, on the host.
pub struct Layout<'a> {
    /// How products are called.
    pub interface: Interface,
    /// CUDA text, as in [`Map`].
    pub source: String,
    /// Rows and columns.
    pub shape: (usize, usize),
    /// Bytes that one product must read of the map itself.
    pub bytes: usize,
    /// Threads a row.
    pub lanes: usize,
    /// Whether blocks can keep their part, as in [`Map`].
    pub holds: bool,
    pub(super) words: Vec<Word<'a>>,
}

impl<'a> Layout<'a> {
    /// No words yet.
    pub(super) fn new(interface: Interface, source: String, shape: (usize, usize)) -> Self {
        Self { interface, source, shape, bytes: 0, lanes: 1, holds: false, words: Vec::new() }
    }

    /// With a number as the next word.
    pub(super) fn number(mut self, value: usize) -> Self {
        self.words.push(Word::Number(value as u64));
        self
    }
    /// With an array as the next word, all of which a product reads.
    pub(super) fn array<T: Pod>(self, what: &'static str, data: impl Into<Cow<'a, [T]>>) -> Self {
        let data = data.into();
        let bytes = size_of_val(&data[..]);
        let mut layout = self.array_unread(what, data);
        layout.bytes += bytes;
        layout
    }
    /// With the address of values as the next word. All values of a map, in the order of these calls, are one vector.
    pub(super) fn values<T: Pod>(self, what: &'static str, data: impl Into<Cow<'a, [T]>>) -> Self {
        let data = data.into();
        let bytes = size_of_val(&data[..]);
        let mut layout = self.values_unread(what, data);
        layout.bytes += bytes;
        layout
    }
    /// The same where a product reads only some of them; those are counted by [`reads`](Self::reads).
    pub(super) fn values_unread<T: Pod>(mut self, what: &'static str, data: impl Into<Cow<'a, [T]>>) -> Self {
        self.words.push(Word::Values(what, Box::new(data.into())));
        self
    }
    /// All values, in the order of slots.
    pub fn all_values<T: Pod>(&self) -> Vec<T> {
        let parts = self.words.iter().filter_map(|word| match word {
            Word::Values(_, data) => Some(bytemuck::cast_slice::<u8, T>(data.bytes())),
            _ => None,
        });
        parts.flatten().copied().collect()
    }
    /// With an array that a product reads only parts of; those are counted by [`reads`](Self::reads).
    pub(super) fn array_unread<T: Pod>(mut self, what: &'static str, data: impl Into<Cow<'a, [T]>>) -> Self {
        self.words.push(Word::Array(what, Box::new(data.into())));
        self
    }
    /// With the address of room for so many bytes as the next word.
    pub(super) fn room(mut self, what: &'static str, bytes: usize) -> Self {
        self.words.push(Word::Room(what, bytes));
        self
    }
    /// With an array that was made on the GPU as the next word, all of which a product reads.
    pub(super) fn made(mut self, buffer: Buffer) -> Self {
        self.bytes += buffer.bytes();
        self.words.push(Word::Made(buffer));
        self
    }
    /// With all values of the map, made on the GPU, as the next word.
    pub(super) fn made_values(mut self, buffer: Buffer) -> Self {
        self.bytes += buffer.bytes();
        self.words.push(Word::MadeValues(buffer));
        self
    }
    /// With so many bytes read on top of the arrays.
    pub(super) fn reads(mut self, bytes: usize) -> Self {
        self.bytes += bytes;
        self
    }
    /// Of which blocks can keep their part in shared memory: the source defines `held`.
    pub(super) fn holding(mut self) -> Self {
        self.holds = true;
        self
    }
    /// With several threads a row.
    pub(super) fn shared_by(mut self, lanes: usize) -> Self {
        self.lanes = lanes;
        self
    }

    /// Copies the arrays onto the GPU, one after another; each host copy goes as soon as it is there.
    pub fn upload(self, gpu: &Arc<Gpu>) -> Result<Map> {
        let Self { interface, source, shape, bytes, lanes, holds, words: members } = self;
        let (mut words, mut buffers) = (Vec::with_capacity(members.len()), Vec::new());
        let mut values = values_of(gpu, &members)?;
        let mut offset = 0;
        for member in members {
            let buffer = match member {
                Word::Values(_, data) => {
                    let values = values.as_mut().expect("the buffer is as large as all parts");
                    values.upload_at(offset, data.bytes())?;
                    words.push(values.address() + offset as u64);
                    offset += data.bytes().len();
                    continue;
                }
                Word::Number(value) => {
                    words.push(value);
                    continue;
                }
                Word::Array(what, data) => Buffer::from_slice(gpu, what, data.bytes())?,
                Word::Room(what, bytes) => Buffer::zeroed(gpu, what, bytes)?,
                Word::Made(buffer) => buffer,
                Word::MadeValues(buffer) => {
                    words.push(buffer.address());
                    values = Some(buffer);
                    continue;
                }
            };
            words.push(buffer.address());
            buffers.push(buffer);
        }
        Ok(Map { interface, source, words, shape, bytes, lanes, holds, grid: Grid::Rows, buffers, values })
    }
}

/// Room for all values of a map, if it has any.
fn values_of(gpu: &Arc<Gpu>, members: &[Word<'_>]) -> Result<Option<Buffer>> {
    let sizes = members.iter().filter_map(|member| match member {
        Word::Values(what, data) => Some((*what, data.bytes().len())),
        _ => None,
    });
    let sizes: Vec<(&str, usize)> = sizes.collect();
    let bytes = sizes.iter().map(|(_, bytes)| bytes).sum();
    sizes.first().map(|(what, _)| Buffer::new(gpu, what, bytes)).transpose()
}

/// The injected constants of a text, and the text.
pub(super) struct Source(String);

impl Source {
    pub(super) fn new() -> Self {
        Self(String::new())
    }
    /// `constexpr unsigned NAME = value;`
    pub(super) fn number(mut self, name: &str, value: usize) -> Self {
        self.0 += &format!("constexpr unsigned {name} = {value};\n");
        self
    }
    /// `constexpr bool NAME = value;`
    pub(super) fn flag(mut self, name: &str, value: bool) -> Self {
        self.0 += &format!("constexpr bool {name} = {value};\n");
        self
    }
    /// `typedef type Column;`
    pub(super) fn columns(mut self, narrow: bool) -> Self {
        self.0 += if narrow { "typedef unsigned short Column;\n" } else { "typedef unsigned Column;\n" };
        self
    }
    /// The constants, then these texts.
    pub(super) fn text(self, texts: &[&str]) -> String {
        texts.iter().fold(self.0, |all, text| all + text)
    }
}

/// `kernels/run.cuh`
pub(super) const RUN: &str = include_str!("../../kernels/run.cuh");
/// `kernels/carries.cuh`
pub(super) const CARRIES: &str = include_str!("../../kernels/carries.cuh");
