//! Texts that the guard found and let through, and the record kept free of them.

use deed_canon::Pointer;
use deed_detect::Words;
use deed_model::{LadderChange, LadderFinding, PatchOp, ProposalRecord, ProposedFinding, Rung, TextRepair};
use serde_json::Value;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// What stands in the place of a name that is not shown.
pub(crate) const CONCEALED: &str = "(concealed)";
/// What is said of a value that is not shown.
pub(crate) const UNSHOWN: &str = "it is not as it must be; the guard conceals its value";

/// The texts.
#[derive(Default)]
pub(crate) struct Flagged {
    texts: BTreeSet<String>,
    /// Made when first asked, and again when there are more of them.
    words: OnceCell<Words>,
}

impl Flagged {
    pub(crate) fn push(&mut self, text: &str) {
        if self.texts.insert(text.to_lowercase()) {
            self.words.take();
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Whether a text repeats one of them.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        !self.is_empty() && self.words.get_or_init(|| Words::new(self.texts.iter().map(String::as_str))).is_in(text)
    }

    fn is_in_value(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.is_in(text),
            Value::Number(number) => self.is_in(&number.to_string()),
            Value::Array(items) => items.iter().any(|item| self.is_in_value(item)),
            Value::Object(map) => map.iter().any(|(key, inner)| self.is_in(key) || self.is_in_value(inner)),
            Value::Null | Value::Bool(_) => false,
        }
    }

    fn is_in_pointer(&self, pointer: &str) -> bool {
        self.is_in(pointer) || Pointer::tokens(pointer).any(|name| self.is_in(&name))
    }

    fn is_in_operations(&self, operations: &[PatchOp]) -> bool {
        operations.iter().any(|operation| match operation {
            PatchOp::Add { path, value } | PatchOp::Test { path, value } => {
                self.is_in_pointer(path) || self.is_in_value(value)
            }
            PatchOp::Replace { path, value } => self.is_in_pointer(path) || self.is_in_value(&value.value()),
            PatchOp::Move { from, path } | PatchOp::Copy { from, path } => {
                self.is_in_pointer(from) || self.is_in_pointer(path)
            }
            PatchOp::Remove { path } => self.is_in_pointer(path),
        })
    }

    /// Takes from the record of a change what the guard found and let through: what it was is not kept, and it cannot
    /// be undone. How a text was read repeats all of it.
    pub(crate) fn conceal_change(&self, change: &mut LadderChange) {
        if change.rung == Rung::L0 || self.is_in_operations(&change.patch) || self.is_in_operations(&change.inverse) {
            change.patch.clear();
            change.inverse.clear();
        }
        if self.is_in(&change.rule) {
            change.rule = CONCEALED.to_owned();
        }
        if self.is_in(&change.why) {
            change.why = CONCEALED.to_owned();
        }
    }

    /// The same for a finding; what the guard says names classes alone.
    pub(crate) fn conceal_finding(&self, finding: &mut LadderFinding) {
        let repeats = |text: &Option<String>| text.as_deref().is_some_and(|text| self.is_in(text));
        if self.is_in_pointer(&finding.pointer) {
            finding.pointer = String::new();
        }
        if finding.rung == Rung::L3 {
            return;
        }
        if self.is_in(&finding.message) {
            finding.message = UNSHOWN.to_owned();
            finding.help = None;
        }
        if repeats(&finding.help) {
            finding.help = None;
        }
        if repeats(&finding.rule) {
            finding.rule = Some(CONCEALED.to_owned());
        }
    }

    /// The same for a proposal.
    pub(crate) fn conceal_proposal(&self, record: &mut ProposalRecord) {
        let proposal = &mut record.proposal;
        let found = |finding: &ProposedFinding| self.is_in_pointer(&finding.at) || self.is_in(&finding.message);
        let found = proposal.finding.as_ref().is_some_and(found);
        if found || self.is_in_operations(&proposal.patch) || self.is_in(&proposal.reason) || self.is_in(&proposal.id) {
            proposal.finding = None;
            proposal.patch.clear();
            proposal.reason.clear();
            proposal.concealed = true;
        }
        if self.is_in(&proposal.id) {
            proposal.id = CONCEALED.to_owned();
        }
        if self.is_in(&record.reason) {
            record.reason = UNSHOWN.to_owned();
        }
    }

    /// The same for a repair of the text.
    pub(crate) fn concealed_repair<'r>(&self, repair: TextRepair<'r>) -> TextRepair<'r> {
        if self.is_in(&repair.inserted) { TextRepair { inserted: Cow::Borrowed(""), ..repair } } else { repair }
    }
}
