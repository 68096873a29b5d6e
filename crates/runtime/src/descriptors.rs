//! Shares the open files of this process out among the steps that run at once, so that none can take those of another.

/// Files that are left for the journal, blobs, sandboxes and programs.
const OWN: u64 = 256;
/// The most connections of an attempt, at the bridge and again at the proxy.
const MOST: u64 = 64;
/// Files that a connection and its share of the other side take: one for the client and one for the server, at the
/// bridge and at the proxy.
const EACH: u64 = 4;

/// Returns the number of connections that an attempt may have at its bridge, and again at its proxy.
pub(crate) fn connections(open_files: u64, parallel: u32) -> usize {
    let shared = open_files.saturating_sub(OWN).max(EACH);
    let share = shared / u64::from(parallel.max(1)) / EACH;
    usize::try_from(share.clamp(1, MOST)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_steps_together_have_no_more_than_there_is() {
        for open in [300, 1024, 4096, 1 << 20] {
            for parallel in [1, 4, 16, 256] {
                let each = connections(open, parallel) as u64;
                assert!((1..=MOST).contains(&each));
                // At least one connection, even if the limit leaves no room for it.
                assert!(each == 1 || each * u64::from(parallel) * EACH <= open - OWN, "{open} {parallel} {each}");
            }
        }
        assert_eq!(connections(1024, 4), 48);
        assert_eq!(connections(1 << 20, 4), 64);
        assert_eq!(connections(0, 4), 1);
    }
}
