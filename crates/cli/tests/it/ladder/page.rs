//! The commands of `docs/ladder.md`.

use crate::common::console::tells_the_truth;

#[test]
fn the_page_tells_the_truth() {
    tells_the_truth("docs/ladder.md", "examples/ladder", 8);
}
