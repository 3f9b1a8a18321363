//! The most memory that the process has had so far, where the system tells.

/// Bytes; none where /proc does not say.
pub fn peak() -> Option<u64> {
    of_status(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn of_status(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| 1024 * kilobytes)
}

#[cfg(test)]
mod tests {
    use super::of_status;

    #[test]
    fn the_high_water_mark_is_read() {
        assert_eq!(of_status("Name:\tgalerkit\nVmHWM:\t   2048 kB\nVmRSS:\t 1 kB\n"), Some(2048 * 1024));
        assert_eq!(of_status("Name:\tgalerkit\n"), None);
    }
}
