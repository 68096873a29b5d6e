//! Prints the egress rules that a run in learning mode would have needed.

use super::shown::plain;
use crate::text::writeln;
use deed_app::runs::LearnedEgress;
use std::fmt::Write as _;

/// The rules in YAML, with a comment for each request that they do not cover.
pub(crate) fn text(learned: &LearnedEgress) -> String {
    let mut text = "\n# rules that would have been needed\n".to_owned();
    match learned.rules.as_slice() {
        [] => text.push_str("egress: []\n"),
        rules => text.extend(["egress:\n", &deed_reach::yaml(rules)]),
    }
    if learned.unequipped && learned.rules.is_empty() {
        text.push_str("# no step has `tool_needs: [http.fetch]`, without which its code can reach nothing\n");
    }
    if !learned.missing.is_empty() {
        text.push_str("# needed beyond these rules:\n");
    }
    for missing in &learned.missing {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# {}", plain(&format!("{}: {}: {}", missing.step, missing.request, missing.why)));
    }
    text
}
