//! The commands of `docs/imprint.md`.

use crate::common::console::tells_the_truth;

#[test]
fn the_page_tells_the_truth() {
    tells_the_truth("docs/imprint.md", "examples/imprint", 8);
}
