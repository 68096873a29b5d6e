//! Ids of blocks: a prefix and a number. The usual ones are built once.

use std::borrow::Cow;
use std::sync::LazyLock;

const PREFIXES: [&str; 5] = ["ev", "mem", "pol", "tool", "turn"];
const READY: usize = 64;

static IDS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let ids = |prefix: &&str| (0..READY).map(|i| format!("{prefix}_{i}")).collect();
    PREFIXES.iter().map(ids).collect()
});

/// Returns the id of the block with this number.
pub(crate) fn block_id<'a>(prefix: &'static str, number: usize) -> Cow<'a, str> {
    let ready = PREFIXES.iter().position(|own| *own == prefix).and_then(|at| IDS.get(at)?.get(number));
    match ready {
        Some(id) => Cow::Borrowed(id.as_str()),
        None => Cow::Owned(format!("{prefix}_{number}")),
    }
}

#[cfg(test)]
mod tests {
    use super::block_id;

    #[test]
    fn ready_or_not_they_read_the_same() {
        for number in [0, 1, 63, 64, 100_000] {
            assert_eq!(block_id("ev", number), format!("ev_{number}"));
        }
    }
}
