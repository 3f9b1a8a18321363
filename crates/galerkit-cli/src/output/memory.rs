//! The most memory that the process has had so far, and how much of it is the program itself, where the system tells.

use std::fs::read_to_string;

const STATUS: &str = "/proc/self/status";

/// Bytes; none where /proc does not say.
pub fn peak() -> Option<u64> {
    of_status(&read_to_string(STATUS).ok()?, "VmHWM:")
}

/// Bytes of arrays and stacks at the moment.
pub fn arrays() -> Option<u64> {
    of_status(&read_to_string(STATUS).ok()?, "RssAnon:")
}

/// The most bytes that were taken beside the program's files and the arrays that it had before.
pub fn taken(before: Option<u64>) -> Option<u64> {
    let text = read_to_string(STATUS).ok()?;
    let [peak, files] = ["VmHWM:", "RssFile:"].map(|name| of_status(&text, name));
    Some(peak?.saturating_sub(files? + before?))
}

fn of_status(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| 1024 * kilobytes)
}

#[cfg(test)]
mod tests {
    use super::of_status;

    #[test]
    fn the_high_water_mark_is_read() {
        let text = "Name:\tgalerkit\nVmHWM:\t   2048 kB\nVmRSS:\t 1 kB\n";
        assert_eq!(of_status(text, "VmHWM:"), Some(2048 * 1024));
        assert_eq!(of_status("Name:\tgalerkit\n", "VmHWM:"), None);
    }
}
