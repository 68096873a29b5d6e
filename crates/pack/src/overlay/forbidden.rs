//! Forbidden changes that are recognised by a kind, a key or a path.
//!
//! They are searched for before any other check of a change, so that a disguised grant is reported as a grant and not
//! as an unknown key.

use deed_canon::Pointer;
use deed_diag::{Diagnostic, Document, codes};
use serde_json::Value;
use std::collections::BTreeMap;

/// A change that an overlay must never make, under any name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Forbidden {
    /// Adds capabilities or permissions.
    Capability,
    /// Changes an approval mode, in either direction.
    ApprovalMode,
    /// Changes a decision.
    Outcomes,
    /// Changes the ontology.
    Ontology,
}

impl Forbidden {
    /// Returns the finding, at a place of the overlay.
    pub(super) fn diagnostic(self, document: &Document, pointer: &str) -> Diagnostic {
        let (code, message, help) = match self {
            Self::Capability => (
                codes::OVERLAY_GRANTS_CAPABILITY,
                "an overlay cannot grant a capability, an adapter or a permission",
                "put it into the pack itself, raise the pack's version and have it reviewed",
            ),
            Self::ApprovalMode => (
                codes::OVERLAY_CHANGES_APPROVAL_MODE,
                "an overlay cannot change an approval mode, in either direction",
                "change the mode in the pack itself; to require more in one environment, tighten a gate's threshold",
            ),
            Self::Outcomes => (
                codes::OVERLAY_CHANGES_DECISION,
                "an overlay cannot change a decision or its outcomes",
                "change the decision in the pack itself: audit and replay compare outcomes by version",
            ),
            Self::Ontology => (
                codes::OVERLAY_CHANGES_ONTOLOGY,
                "an overlay cannot change the ontology",
                "change `intelligence_refs` in the pack itself and raise its version",
            ),
        };
        Diagnostic::error(code, message).stage("overlay").at(document.place(pointer)).help(help)
    }

    /// Returns the meaning of a key or of one step of a path.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        match plain(name).as_str() {
            "approval_mode" => Some(Self::ApprovalMode),
            "allowed_outcomes" | "decision_outcomes" | "outcomes" | "decision_layer" | "decision_specs" => {
                Some(Self::Outcomes)
            }
            "ontology" | "intelligence_refs" | "entity_types" | "relationship_types" => Some(Self::Ontology),
            "grant_capability" | "tooling_layer" | "adapter_registry" | "adapters" | "capabilities" | "capability"
            | "permissions" | "permission" => Some(Self::Capability),
            _ => None,
        }
    }

    /// Returns the meaning of an unknown kind.
    fn of_kind(kind: &str) -> Option<Self> {
        let kind = plain(kind);
        let says = |words: &[&str]| words.iter().any(|word| kind.contains(word));
        if says(&["approval_mode", "safety_mode"]) {
            Some(Self::ApprovalMode)
        } else if says(&["outcome", "decision"]) {
            Some(Self::Outcomes)
        } else if says(&["ontology"]) {
            Some(Self::Ontology)
        } else if says(&["capabilit", "permission", "grant", "tool"]) {
            Some(Self::Capability)
        } else {
            None
        }
    }

    /// Returns the meaning of a path, as a JSON Pointer or with dots: an approval mode counts wherever it stands, and
    /// otherwise the last step with a meaning decides.
    pub(super) fn of_path(path: &str) -> Option<Self> {
        let steps = || path.split(['/', '.', '[', ']', '$']).filter_map(Self::of_name);
        steps().find(|f| *f == Self::ApprovalMode).or_else(|| steps().next_back())
    }
}

/// `approvalMode`, `Approval-Mode` and `approval_mode` are one name.
fn plain(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    let mut last = ' ';
    for c in name.chars() {
        if c.is_ascii_uppercase() && last.is_ascii_lowercase() {
            out.push('_');
        }
        out.push(if matches!(c, '-' | ' ') { '_' } else { c.to_ascii_lowercase() });
        last = c;
    }
    out
}

/// The first place of each forbidden change.
pub(super) type Seen = BTreeMap<Forbidden, String>;

/// Searches every name and path of a change of unknown kind.
pub(super) fn look(value: &Value, at: &str, seen: &mut Seen) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let here = Pointer::push(at, key);
                let of_kind = || value.as_str().filter(|_| key == "kind").and_then(Forbidden::of_kind);
                if let Some(forbidden) = Forbidden::of_name(key).or_else(of_kind) {
                    seen.entry(forbidden).or_insert_with(|| here.clone());
                }
                if key != "rationale" {
                    look(value, &here, seen);
                }
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| look(item, &Pointer::push(at, &i.to_string()), seen));
        }
        Value::String(text) => {
            // A sentence is not a path, whatever words it uses.
            if let Some(forbidden) = Forbidden::of_path(text).filter(|_| !text.contains(' ')) {
                seen.entry(forbidden).or_insert_with(|| at.to_owned());
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_recognised_however_it_is_spelled() {
        for name in ["approval_mode", "approvalMode", "Approval-Mode", "APPROVAL_MODE"] {
            assert_eq!(Forbidden::of_name(name), Some(Forbidden::ApprovalMode), "{name}");
        }
        assert_eq!(Forbidden::of_name("adapter_id"), None);
    }

    #[test]
    fn a_path_means_its_last_step_and_a_mode_wherever_it_stands() {
        for (path, expected) in [
            ("/tooling_layer/adapter_registry/0/approval_mode", Some(Forbidden::ApprovalMode)),
            ("/tooling_layer/permissions/-", Some(Forbidden::Capability)),
            ("decision_layer.decision_specs[0].allowed_outcomes", Some(Forbidden::Outcomes)),
            ("$.intelligence_refs.ontology.namespace", Some(Forbidden::Ontology)),
            ("/pack_meta/ttl_seconds", None),
        ] {
            assert_eq!(Forbidden::of_path(path), expected, "{path}");
        }
    }
}
