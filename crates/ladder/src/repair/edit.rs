//! The edit script: what enters is raw text, what leaves is strict JSON, and every change can be undone.
//!
//! A script is sorted and its ranges do not overlap. The removed text is not copied: its range in the raw
//! text, which the caller keeps, says what it was.

use super::kind::{Certainty, RepairKind};
use std::borrow::Cow;
use std::ops::Range;

/// One change to the raw text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// What was done.
    pub kind: RepairKind,
    /// The bytes of the raw text that are replaced; empty where something was only inserted.
    pub at: Range<usize>,
    /// What stands there now.
    pub inserted: Cow<'static, str>,
}

impl Repair {
    pub(super) fn remove(kind: RepairKind, at: Range<usize>) -> Self {
        Self { kind, at, inserted: Cow::Borrowed("") }
    }

    pub(super) fn insert(kind: RepairKind, at: usize, inserted: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, at: at..at, inserted: inserted.into() }
    }

    pub(super) fn replace(kind: RepairKind, at: Range<usize>, inserted: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, at, inserted: inserted.into() }
    }

    /// The text that stood there, taken from the raw text that was read.
    pub fn removed<'a>(&self, raw: &'a str) -> &'a str {
        raw.get(self.at.clone()).unwrap_or_default()
    }

    /// How sure one can be of this repair.
    pub fn certainty(&self) -> Certainty {
        self.kind.certainty()
    }
}

/// The raw text with all repairs applied: strict JSON whose value is the value that was read.
pub fn repaired_text(text: &str, repairs: &[Repair]) -> String {
    apply(text, 0..text.len(), repairs)
}

/// A part of the raw text with the repairs that lie in it applied.
pub(super) fn apply(text: &str, part: Range<usize>, repairs: &[Repair]) -> String {
    let mut out = String::with_capacity(part.len() + repairs.len());
    let mut kept_from = part.start;
    for repair in repairs {
        out.push_str(text.get(kept_from..repair.at.start).unwrap_or_default());
        out.push_str(&repair.inserted);
        kept_from = repair.at.end;
    }
    out.push_str(text.get(kept_from..part.end).unwrap_or_default());
    out
}

/// Where a byte of the repaired part stood in the raw text; for inserted text, the place it was inserted at.
pub(super) fn raw_offset(part_start: usize, repairs: &[Repair], repaired_at: usize) -> usize {
    let (mut raw, mut repaired) = (part_start, 0);
    for repair in repairs {
        let kept = repair.at.start.saturating_sub(raw);
        if repaired_at < repaired + kept {
            break;
        }
        repaired += kept;
        if repaired_at < repaired + repair.inserted.len() {
            return repair.at.start;
        }
        repaired += repair.inserted.len();
        raw = repair.at.end;
    }
    raw + (repaired_at - repaired)
}
