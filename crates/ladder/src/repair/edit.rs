//! The edit script: what enters is raw text, what leaves is strict JSON, and every change can be undone.
//!
//! A script is sorted and its ranges do not overlap. The removed text is not copied: its range in the raw
//! text, which the caller keeps, says what it was.

use super::kind::{Certainty, RepairKind};
use deed_diag::Invariant as _;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// The largest text that is read: places in it are kept in 32 bits.
pub(super) const LARGEST_TEXT: usize = u32::MAX as usize;

/// Texts that are inserted again and again, and are told by their place in this list.
const USUAL: [&str; 18] = [
    "", "\"", "\\", ",", ":", "{", "}", "[", "]", " ", "true", "false", "null", "\\n", "\\t", "\\r", "\\r\\n", "\\n\\n",
];

/// One change to the raw text. A text may need hundreds of thousands, so each takes 24 bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct Repair {
    /// What was done.
    pub kind: RepairKind,
    /// The place of the inserted text among the usual ones, unless it is another.
    usual: u8,
    start: u32,
    end: u32,
    /// The inserted text, where it is not a usual one.
    #[allow(clippy::box_collection, reason = "one word, where a text takes three")]
    other: Option<Box<String>>,
}

impl fmt::Debug for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repair")
            .field("kind", &self.kind)
            .field("at", &self.at())
            .field("inserted", &self.inserted())
            .finish()
    }
}

impl Repair {
    pub(super) fn remove(kind: RepairKind, at: Range<usize>) -> Self {
        Self::replace(kind, at, "")
    }

    pub(super) fn insert(kind: RepairKind, at: usize, inserted: impl Into<Cow<'static, str>>) -> Self {
        Self::replace(kind, at..at, inserted)
    }

    pub(super) fn replace(kind: RepairKind, at: Range<usize>, inserted: impl Into<Cow<'static, str>>) -> Self {
        let inserted = inserted.into();
        let usual = USUAL.iter().position(|usual| *usual == inserted).and_then(|place| u8::try_from(place).ok());
        let other = if usual.is_none() { Some(Box::new(inserted.into_owned())) } else { None };
        let place = |at: usize| u32::try_from(at).invariant("larger texts are refused before they are repaired");
        Self { kind, usual: usual.unwrap_or_default(), start: place(at.start), end: place(at.end), other }
    }

    /// The same change at another place.
    pub(super) fn moved(&self, at: Range<usize>) -> Self {
        Self::replace(self.kind, at, self.inserted().to_owned())
    }

    /// The bytes of the raw text that are replaced; empty where something was only inserted.
    pub fn at(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// What stands there now.
    pub fn inserted(&self) -> &str {
        match &self.other {
            Some(other) => other,
            None => USUAL.get(usize::from(self.usual)).copied().invariant("a usual text is in the list"),
        }
    }

    /// The text that stood there, taken from the raw text that was read; empty for a text that it is not a repair of.
    pub fn removed<'a>(&self, raw: &'a str) -> &'a str {
        raw.get(self.at()).unwrap_or_default()
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
        // Two repairs may overlap, as those of a cut string with a control character do. The strict reader judges the
        // result.
        out.push_str(text.get(kept_from..repair.at().start).unwrap_or_default());
        out.push_str(repair.inserted());
        kept_from = repair.at().end;
    }
    out.push_str(text.get(kept_from..part.end).unwrap_or_default());
    out
}

/// Where a byte of the repaired part stood in the raw text; for inserted text, the place it was inserted at.
pub(super) fn raw_offset(part_start: usize, repairs: &[Repair], repaired_at: usize) -> usize {
    let (mut raw, mut repaired) = (part_start, 0);
    for repair in repairs {
        let kept = repair.at().start.saturating_sub(raw);
        if repaired_at < repaired + kept {
            break;
        }
        repaired += kept;
        if repaired_at < repaired + repair.inserted().len() {
            return repair.at().start;
        }
        repaired += repair.inserted().len();
        raw = repair.at().end;
    }
    raw + (repaired_at - repaired)
}
