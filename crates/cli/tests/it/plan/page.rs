//! The commands of `docs/plan.md`.

use crate::common::walk::walk;

#[test]
fn the_page_tells_the_truth() {
    walk("docs/plan.md", 20);
}
