//! What the assembler says of each kernel with `--ptxas-options=-v`: registers, spills, stack and shared memory. For
//! CI, which has a compiler but no GPU.

use crate::error::Result;
use crate::launch::Nvrtc;

/// What one kernel takes on one architecture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The kernel.
    pub kernel: String,
    /// The architecture.
    pub architecture: String,
    /// Registers a thread.
    pub registers: usize,
    /// Bytes of registers spilled to memory, stores and loads.
    pub spills: usize,
    /// Bytes of stack a thread.
    pub stack: usize,
    /// Bytes of static shared memory a block.
    pub shared: usize,
}

/// Compiles a complete source and says what each of its kernels takes.
pub fn usage(nvrtc: &Nvrtc, name: &str, source: &str, architecture: &str) -> Result<Vec<Usage>> {
    nvrtc.compile_with(name, source, architecture, &["--ptxas-options=-v"]).map(|(_, log)| from_log(&log))
}

/// The kernels in the assembler's log. Functions that were not inlined count for the kernel that they stand under.
fn from_log(log: &str) -> Vec<Usage> {
    let mut kernels: Vec<Usage> = Vec::new();
    for line in log.lines() {
        if let Some(rest) = line.split_once("Compiling entry function '").map(|(_, rest)| rest) {
            let mut parts = rest.split('\'');
            let (kernel, architecture) =
                (parts.next().unwrap_or_default().into(), parts.nth(1).unwrap_or_default().into());
            kernels.push(Usage { kernel, architecture, ..Usage::default() });
        } else if let Some(current) = kernels.last_mut() {
            current.spills += before(line, " bytes spill stores") + before(line, " bytes spill loads");
            current.stack = current.stack.max(before(line, " bytes stack frame"));
            current.stack = current.stack.max(before(line, " bytes cumulative stack size"));
            current.registers = current.registers.max(before(line, " registers"));
            current.shared = current.shared.max(before(line, " bytes smem"));
        }
    }
    kernels
}

/// The number that stands before some words; 0 if they are not there.
fn before(line: &str, words: &str) -> usize {
    let number = line.split_once(words).and_then(|(front, _)| front.rsplit([' ', ',']).next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
ptxas info    : 8 bytes gmem, 8 bytes cmem[4]
ptxas info    : Compiling entry function 'plain' for 'sm_80'
ptxas info    : Function properties for plain
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 14 registers, used 0 barriers, 384 bytes cmem[0]
ptxas info    : Compile time = 8.157 ms
ptxas info    : Compiling entry function 'spills' for 'sm_80'
ptxas info    : Function properties for spills
ptxas         .     312 bytes stack frame, 424 bytes spill stores, 576 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 320 bytes cumulative stack size, 256 bytes smem, 364 bytes cmem[0]
ptxas info    : Compile time = 95.627 ms
";

    #[test]
    fn the_log_of_two_kernels() {
        let plain = Usage { kernel: "plain".into(), architecture: "sm_80".into(), registers: 14, ..Usage::default() };
        let mut spills = Usage { kernel: "spills".into(), registers: 32, spills: 1000, ..plain.clone() };
        (spills.stack, spills.shared) = (320, 256);
        assert_eq!(from_log(LOG), [plain, spills]);
        assert_eq!(from_log(""), []);
    }
}
