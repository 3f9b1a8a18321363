//! Bytes as they are, or in base64 (RFC 4648): four characters for three bytes. Several encoded parts may follow each
//! other, each with its own padding.

/// Bytes to be taken one part after the other.
pub(super) struct Stream<'a> {
    bytes: &'a [u8],
    base64: bool,
    /// Decoded, but not yet taken.
    pending: Vec<u8>,
}

const CUT_SHORT: &str = "its data ends too early: the file was cut short";

impl<'a> Stream<'a> {
    pub(super) fn new(bytes: &'a [u8], base64: bool) -> Self {
        Self { bytes, base64, pending: Vec::new() }
    }

    /// Bytes or characters left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn take(&mut self, count: usize) -> Result<Vec<u8>, String> {
        if count > self.bytes.len() + self.pending.len() {
            return Err(CUT_SHORT.into());
        }
        if !self.base64 {
            let (taken, rest) = self.bytes.split_at(count);
            self.bytes = rest;
            return Ok(taken.to_vec());
        }
        let mut taken = std::mem::take(&mut self.pending);
        taken.reserve(count + 3);
        while taken.len() < count {
            self.group(&mut taken)?;
        }
        self.pending = taken.split_off(count);
        Ok(taken)
    }

    /// Four characters.
    fn group(&mut self, to: &mut Vec<u8>) -> Result<(), String> {
        let (mut bits, mut found, mut padding) = (0_u32, 0, 0);
        while found < 4 {
            let (&character, rest) = self.bytes.split_first().ok_or(CUT_SHORT)?;
            self.bytes = rest;
            let value = match character {
                b'A'..=b'Z' => character - b'A',
                b'a'..=b'z' => character - b'a' + 26,
                b'0'..=b'9' => character - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                b'=' => {
                    padding += 1;
                    0
                }
                b'<' => return Err(CUT_SHORT.into()),
                space if space.is_ascii_whitespace() => continue,
                other => return Err(format!("it has the byte {other}, which is no base64")),
            };
            bits = bits << 6 | u32::from(value);
            found += 1;
        }
        to.extend_from_slice(&bits.to_be_bytes()[1..4 - padding.min(2)]);
        Ok(())
    }
}
