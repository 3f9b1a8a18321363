//! Memory is asked for politely before it is allocated: a clear error instead of an abort or a swapping machine.

use crate::error::{Error, Result};

/// Errors when so many bytes cannot be had: more than the operating system says is available (where it says so), or
/// refused by the allocator.
pub fn check(what: &'static str, needed: u128) -> Result<()> {
    let available = available().unwrap_or(isize::MAX as u128);
    let refused = |bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_err();
    if needed > available || usize::try_from(needed).map_or(true, refused) {
        return Err(Error::OutOfMemory { what, needed, available });
    }
    Ok(())
}

/// Bytes that can be had without swapping, where the operating system publishes them.
fn available() -> Option<u128> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kibibytes: u128 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}
