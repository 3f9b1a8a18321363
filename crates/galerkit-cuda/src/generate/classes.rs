//! Classes of persistent kernels: the threads of a block, which bound the registers of each, and whether the blocks are
//! one cluster. The compiler must know both, so a program has a source for each class; nothing else in it depends on
//! the size of a system.

/// Threads of a block. Between powers of two, every multiprocessor has a block and none has two.
const THREADS: [usize; 5] = [256, 384, 512, 768, 1024];

/// Threads of a block, up to which the blocks of a cluster are enough for a system.
pub const CLUSTERED_THREADS: usize = 512;

/// Threads of a block, up to which blocks keep parts of maps in shared memory: `HOLDS` in `kernels/held.cuh`.
pub const HOLDING_THREADS: usize = 768;

/// What stands for the threads where there is no persistent kernel.
pub const NONE: usize = 32;

/// The threads of a block that has work for so many.
pub fn threads_for(work: usize) -> usize {
    THREADS.into_iter().find(|&threads| threads >= work).unwrap_or(1024)
}

/// The line of a source that says which class it is.
pub fn line(threads: usize, clustered: bool) -> String {
    format!("constexpr unsigned PERSISTENT_THREADS = {threads}; constexpr bool CLUSTERED = {clustered};\n")
}

/// The sources of a program in every class, made of that in its largest; of one without a persistent kernel, itself.
/// For whoever compiles ahead of time for GPUs that have clusters or not.
pub fn every_class(source: &str, has_clusters: bool) -> Vec<String> {
    let Some(threads) = THREADS.into_iter().find(|&threads| source.contains(&line(threads, false))) else {
        return vec![source.into()];
    };
    let largest = line(threads, false);
    let apart = THREADS.into_iter().filter(|&fewer| fewer <= threads).map(|fewer| (fewer, false));
    let most = CLUSTERED_THREADS.min(threads);
    let together = THREADS.into_iter().filter(|&fewer| has_clusters && fewer <= most).map(|fewer| (fewer, true));
    apart.chain(together).map(|(threads, clustered)| source.replace(&largest, &line(threads, clustered))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_has_as_few_threads_as_give_each_some() {
        assert_eq!([0, 256, 257, 700, 1024, 9000].map(threads_for), [256, 256, 384, 768, 1024, 1024]);
    }

    #[test]
    fn a_source_in_its_largest_class_gives_all_smaller_ones() {
        let of = |threads, clustered| format!("before\n{}behind\n", line(threads, clustered));
        let smaller = [256, 384, 512].map(|threads| of(threads, false));
        let clustered = [256, 384, 512].map(|threads| of(threads, true));
        assert_eq!(every_class(&of(512, false), false), smaller);
        assert_eq!(every_class(&of(512, false), true), [smaller, clustered].concat());
        assert_eq!(every_class(&of(1024, false), true).len(), 8);
        assert_eq!(every_class(&of(256, false), true), [of(256, false), of(256, true)]);
        for alone in [of(NONE, false), "no class".to_string()] {
            assert_eq!(every_class(&alone, true), [alone]);
        }
    }
}
