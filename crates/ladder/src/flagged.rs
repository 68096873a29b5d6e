//! What the guard found: the places and texts that no rung changes, and that no part of the report repeats.

use crate::climb::{Finding, Weight};
use deed_canon::Pointer;
use deed_detect::Words;
use deed_model::{LadderChange, LadderFinding, PatchOp, ProposalRecord, ProposedFinding, Rung, TextRepair};
use serde_json::Value;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// The text in the place of a name that is not shown.
pub(crate) const CONCEALED: &str = "(concealed)";
/// The message in the place of one that would show a value.
const UNSHOWN: &str = "it is not as it must be; the guard conceals its value";

/// The places and texts that the guard flagged.
#[derive(Default, Clone)]
pub(crate) struct Flagged {
    /// Places whose values were flagged; nothing repeats or changes them.
    values: BTreeSet<String>,
    /// Places whose keys were flagged; nothing names them.
    keys: BTreeSet<String>,
    /// The same as texts in lower case, so that no message repeats them.
    texts: BTreeSet<String>,
    /// A search for the texts; made when first asked for, and again when there are more of them.
    words: OnceCell<Words>,
    /// Whether nothing of the source may be quoted: the guard cannot rule out that it holds something.
    pub(crate) unquoted: bool,
}

impl Flagged {
    pub(crate) fn flag_value(&mut self, at: &str) {
        self.values.insert(at.to_owned());
    }

    pub(crate) fn flag_key(&mut self, at: &str) {
        self.keys.insert(at.to_owned());
    }

    pub(crate) fn flag_text(&mut self, text: &str) {
        if self.texts.insert(text.to_lowercase()) {
            self.words.take();
        }
    }

    /// The places without the texts.
    pub(crate) fn places(&self) -> Self {
        Self { values: self.values.clone(), keys: self.keys.clone(), ..Self::default() }
    }

    /// Returns whether there is nothing to conceal.
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty() && self.texts.is_empty()
    }

    /// Returns whether the value at a place was flagged.
    pub(crate) fn is_flagged(&self, at: &str) -> bool {
        self.values.contains(at)
    }

    /// Returns whether a place may be changed and shown: nothing is flagged at it, above it or beneath it.
    pub(crate) fn is_free(&self, pointer: &str) -> bool {
        highest(&self.values, pointer).is_none() && !any_beneath(&self.values, pointer)
    }

    /// Returns whether a text repeats one of the texts.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        !self.texts.is_empty()
            && self.words.get_or_init(|| Words::new(self.texts.iter().map(String::as_str))).is_in(text)
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

    /// A finding as the report may show it. The guard's own name classes alone.
    pub(crate) fn concealed_finding(&self, finding: Finding<'_>) -> LadderFinding {
        let Finding { rung, code, at, message, help, rule, weight } = finding;
        let shown = self.nameable(at).to_owned();
        // A message about a place may quote what stands beneath it.
        let beneath = rung != Rung::L3 && !self.is_free(at);
        let concealed =
            rung != Rung::L3 && (self.is_in(&message) || shown != at || highest(&self.values, at).is_some());
        LadderFinding {
            rung,
            code: code.as_str().to_owned(),
            blocks: weight == Weight::Blocks,
            pointer: shown,
            message: if concealed { UNSHOWN.to_owned() } else { message },
            help: help.filter(|_| !concealed && !beneath),
            rule: rule.map(str::to_owned),
        }
    }

    /// Conceals what was flagged in a finding that may have been recorded before that.
    pub(crate) fn conceal_finding(&self, finding: &mut LadderFinding) {
        let shown = self.nameable(&finding.pointer).to_owned();
        let of_guard = finding.rung == Rung::L3;
        if !of_guard && (shown != finding.pointer || highest(&self.values, &finding.pointer).is_some()) {
            finding.message = UNSHOWN.to_owned();
            finding.help = None;
        }
        finding.pointer = shown;
        if self.is_in_pointer(&finding.pointer) {
            finding.pointer = String::new();
        }
        if of_guard {
            return;
        }
        let repeats = |text: &Option<String>| text.as_deref().is_some_and(|text| self.is_in(text));
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

    /// Conceals what was flagged in the record of a change: its operations are dropped, so it cannot be undone. The
    /// record of how a text was read repeats all of the text.
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

    /// Conceals what was flagged in a proposal.
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

    /// A repair of the text without what was flagged.
    pub(crate) fn concealed_repair<'r>(&self, repair: TextRepair<'r>) -> TextRepair<'r> {
        if self.is_in(&repair.inserted) { TextRepair { inserted: Cow::Borrowed(""), ..repair } } else { repair }
    }

    /// A pointer without keys that were flagged.
    fn nameable<'p>(&self, pointer: &'p str) -> &'p str {
        let end = highest(&self.keys, pointer).and_then(|key| key.rfind('/'));
        end.and_then(|end| pointer.get(..end)).unwrap_or(pointer)
    }
}

/// The highest of these places that a place is, or is beneath.
fn highest<'p>(places: &BTreeSet<String>, pointer: &'p str) -> Option<&'p str> {
    if places.is_empty() {
        return None;
    }
    let ends = pointer.match_indices('/').map(|(end, _)| end).chain([pointer.len()]);
    ends.filter_map(|end| pointer.get(..end)).find(|above| places.contains(*above))
}

/// Returns whether one of these places is beneath a place.
fn any_beneath(places: &BTreeSet<String>, pointer: &str) -> bool {
    let beneath = format!("{pointer}/");
    places.range(beneath.clone()..).next().is_some_and(|place| place.starts_with(&beneath))
}
