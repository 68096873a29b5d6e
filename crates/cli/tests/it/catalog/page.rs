//! The commands of `docs/catalog.md`, with the pack and the plan that it writes between them.

use crate::common::walk::walk;

#[test]
fn the_page_tells_the_truth() {
    walk("docs/catalog.md", 20);
}
