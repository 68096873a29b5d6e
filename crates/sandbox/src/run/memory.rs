//! The memory of all processes of a sandbox together, for machines where no control group limits it.
//!
//! It is sampled: between two samples processes can take more, each at most its own limit.

use std::fs;

/// Returns whether these processes together have more than `limit` bytes of memory of their own.
///
/// Pages that processes share, as after a fork, count once. That is costly to compute, so it is only done if the
/// cheap sum, which counts them for each process, is over the limit.
pub(super) fn is_over(limit: u64, processes: &[u32]) -> bool {
    sum(processes, resident) > limit && sum(processes, |pid| proportional(pid).or_else(|| resident(pid))) > limit
}

fn sum(processes: &[u32], bytes: impl Fn(u32) -> Option<u64>) -> u64 {
    // A process that has ended meanwhile has no memory.
    processes.iter().filter_map(|pid| bytes(*pid)).fold(0, u64::saturating_add)
}

/// Private and shared memory of one process, without the files that it maps.
fn resident(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    Some(kilobytes(&text, "RssAnon:")?.saturating_add(kilobytes(&text, "RssShmem:")?))
}

/// The same, with shared pages divided among the processes that share them.
fn proportional(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    Some(kilobytes(&text, "Pss_Anon:")?.saturating_add(kilobytes(&text, "Pss_Shmem:")?))
}

fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_line_in_kilobytes() {
        assert_eq!(kilobytes("Name:\tx\nRssAnon:\t    12 kB\n", "RssAnon:"), Some(12 << 10));
        assert_eq!(kilobytes("RssAnon:\t", "RssAnon:"), None);
    }

    #[test]
    fn counts_this_process() {
        let own = std::process::id();
        assert!(is_over(1 << 10, &[own]));
        assert!(!is_over(u64::MAX, &[own]));
        // A process that does not exist has no memory.
        assert!(!is_over(0, &[u32::MAX]));
    }
}
