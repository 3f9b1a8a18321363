//! Memory is asked for politely before it is allocated: a clear error instead of an abort or a swapping machine.

use crate::error::{Error, Result};
use std::fs::read_to_string;

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

/// Bytes that can be had without swapping and within this process's limit (`ulimit -v`), where the operating system
/// publishes them.
pub fn available() -> Option<u128> {
    let free = kibibytes(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:");
    let limit = read_to_string("/proc/self/limits").ok().and_then(|text| address_space(&text));
    let used = read_to_string("/proc/self/status").ok().and_then(|text| kibibytes(&text, "VmSize:"));
    let within = limit.map(|limit| limit.saturating_sub(used.unwrap_or(0)));
    free.into_iter().chain(within).min()
}

/// The bytes of a line `NAME   123 kB`.
fn kibibytes(text: &str, name: &str) -> Option<u128> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok().map(|kibibytes: u128| kibibytes * 1024)
}

/// The soft limit of the address space in bytes; none where it is unlimited.
fn address_space(limits: &str) -> Option<u128> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{address_space, kibibytes};

    #[test]
    fn amounts_and_limits_are_read() {
        assert_eq!(kibibytes("MemFree: 1 kB\nMemAvailable:   2048 kB\n", "MemAvailable:"), Some(2048 * 1024));
        let limits = |limit: &str| format!("Limit  Soft Limit  Hard Limit  Units\nMax address space  {limit}  bytes\n");
        assert_eq!(address_space(&limits("4096000000 unlimited")), Some(4_096_000_000));
        assert_eq!(address_space(&limits("unlimited unlimited")), None);
    }
}
