//! The text of a tool for the model.

use deed_diag::Invariant as _;
use deed_model::{ApprovalMode, ArgConstraint};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The approvals that a call needs.
#[derive(Clone, Copy)]
pub(crate) struct Demands<'d> {
    /// Gates that are active now.
    pub(crate) gates: &'d [&'d str],
    /// Gates that may become active with the arguments of a call.
    pub(crate) pending: &'d [&'d str],
    /// Rules that are decided with the arguments of a call.
    pub(crate) rules: &'d [std::borrow::Cow<'d, str>],
}

/// Renders the text of a surfaced capability.
pub(crate) fn render<'b>(
    name: &str,
    mode: ApprovalMode,
    description: Option<&str>,
    arguments: impl Iterator<Item = &'b BTreeMap<String, ArgConstraint>>,
    demands: Demands<'_>,
) -> String {
    let mut text = format!("{name} ({mode})");
    if let Some(description) = description {
        let _ = write!(text, "\n{description}");
    }
    for bounds_of_one in arguments.filter(|a| !a.is_empty()) {
        let _ = write!(text, "\narguments: {}", bounds(bounds_of_one));
    }
    if !demands.gates.is_empty() {
        let _ = write!(text, "\nonly after approval at {}", demands.gates.join(" and "));
    }
    if !demands.pending.is_empty() {
        let gates = demands.pending.join(" and ");
        let _ = write!(text, "\nmay need approval at {gates}, depending on the arguments");
    }
    if !demands.rules.is_empty() {
        let _ = write!(text, "\ndecided with the arguments of the call: {}", demands.rules.join(", "));
    }
    text
}

/// Renders bounds on arguments.
pub(super) fn bounds(arguments: &BTreeMap<String, ArgConstraint>) -> String {
    let each = arguments.iter().map(|(name, bound)| {
        let words = words(bound);
        if words.is_empty() { name.clone() } else { format!("{name} {}", words.join(" ")) }
    });
    each.collect::<Vec<_>>().join("; ")
}

/// Renders the parts of one bound.
pub(crate) fn words(bound: &ArgConstraint) -> Vec<String> {
    let mut words = Vec::new();
    match (&bound.min, &bound.max) {
        (Some(min), Some(max)) => words.push(format!("from {min} to {max}")),
        (Some(min), None) => words.push(format!("at least {min}")),
        (None, Some(max)) => words.push(format!("at most {max}")),
        (None, None) => {}
    }
    if !bound.allowed.is_empty() {
        let values: Vec<String> = bound.allowed.iter().map(shown).collect();
        words.push(format!("one of {}", values.join(", ")));
    }
    if let Some(pattern) = &bound.pattern {
        words.push(format!("matching {pattern}"));
    }
    if let Some(length) = bound.max_length {
        words.push(format!("of at most {length} characters"));
    }
    if let Some(value) = &bound.equals {
        words.push(format!("equal to {}", shown(value)));
    }
    if bound.required == Some(true) {
        words.push("required".to_owned());
    }
    words
}

fn shown(value: &Value) -> String {
    // Canonical: the order of a map must not reach the prompt.
    value.as_str().map_or_else(
        || deed_canon::canonical_string(value).invariant("a value of a pack has a canonical form"),
        str::to_owned,
    )
}
