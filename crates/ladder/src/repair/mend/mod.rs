//! One value, read as tolerantly as it can be read in one way only.
//!
//! What enters is text and the place where a value begins; what leaves is where it ends and the edits that
//! make it strict. The edits are proven afterwards, by the strict reader: nothing here builds a value.
//! Every function moves forward only, looks ahead at most to the next quote, and nests at most 128 deep.

mod ahead;
mod escape;
mod foreign;
mod gap;
mod key;
mod list;
mod lost;
mod merge;
mod number;
mod paired;
mod phrase;
mod string;
mod word;

pub(super) use number::is_json as is_json_number;

use super::edit::Repair;
use super::fault::Fault;
use super::kind::RepairKind;
use super::strict::grow;
use super::unreadable::UnreadableKind;
use crate::excerpt::excerpt;
use ahead::Place;
use deed_canon::MAX_DEPTH;
use list::Sort;
use std::ops::Range;

/// Repairs that are left room for, of the text around a value.
const AROUND: usize = 32;

/// How a value begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// With its bracket.
    Bracket,
    /// With its first key: the braces are missing.
    FirstKey,
}

/// What to do with keys that stand twice. Looking for them costs time, so they are looked for only once the
/// strict reader has found some.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Duplicates {
    Unseen,
    Merged,
}

/// How far a reading may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Latitude {
    /// Only as far as the text itself leaves one reading.
    Text,
    /// As far as a reading can be judged by a schema afterwards: phrases without quotes, lost colons and quotes.
    Guided,
}

/// A value that can be made strict.
#[derive(Debug)]
pub(super) struct Mended {
    pub(super) span: Range<usize>,
    pub(super) script: Vec<Repair>,
    pub(super) loose: Loose,
}

/// Which brackets, had they been closed later, would have given another value. A closing bracket too many at the end
/// is clear only where there are none of its sort: otherwise any of them may be the one too many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Loose {
    pub(super) braces: bool,
    pub(super) brackets: bool,
}

/// A place where no value can be read.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) fault: Fault,
    /// Somebody meant JSON here, and not a brace in a sentence.
    pub(super) meant: bool,
    /// The quotes are escaped: the value may be the inside of a string.
    pub(super) escaped: bool,
    /// How far the text was read.
    pub(super) reached: usize,
}

/// Reads the value that begins at `start`.
pub(super) fn mend(
    text: &str,
    start: usize,
    (opening, latitude): (Opening, Latitude),
    duplicates: Duplicates,
) -> Result<Mended, Failure> {
    let mut mender = Mender {
        text,
        bytes: text.as_bytes(),
        pos: start,
        open: Vec::new(),
        script: Vec::new(),
        opening,
        latitude,
        duplicates,
        last: MemberParts::default(),
        loose: Loose::default(),
        closed_in_same: None,
        meant: opening == Opening::FirstKey,
        escaped: false,
    };
    let outcome = match opening {
        Opening::Bracket => mender.value(Place::Item),
        Opening::FirstKey => mender.bare_members(),
    };
    match outcome {
        Ok(End::Whole | End::Cut) => {
            // The value that is read next takes room of its own; what stands around it needs a few repairs more.
            let needed = mender.script.len() + AROUND;
            mender.script.shrink_to(needed);
            Ok(Mended { span: start..mender.pos, script: mender.script, loose: mender.loose })
        }
        Ok(End::Dropped) => Err(mender.failure(Fault::new(UnreadableKind::CutTooEarly, start, start))),
        Err(fault) => Err(mender.failure(fault)),
    }
}

/// How the reading of a part ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Whole,
    /// The text ended in it, and it was closed.
    Cut,
    /// The text ended in it, and too little is left to keep.
    Dropped,
}

/// A place in the text together with the edits made before it.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    pos: usize,
    edits: usize,
}

/// Where key and value of the member stand that was read last.
#[derive(Debug, Clone, Copy, Default)]
struct MemberParts {
    key: (Mark, Mark),
    value: (Mark, Mark),
}

struct Mender<'a> {
    text: &'a str,
    bytes: &'a [u8],
    pos: usize,
    /// The brackets that are open, outermost first.
    open: Vec<Sort>,
    script: Vec<Repair>,
    opening: Opening,
    latitude: Latitude,
    duplicates: Duplicates,
    last: MemberParts,
    loose: Loose,
    /// The sort of the list that was closed last, if it stood in a list of the same sort.
    closed_in_same: Option<Sort>,
    meant: bool,
    escaped: bool,
}

impl Mender<'_> {
    fn failure(self, fault: Fault) -> Failure {
        let reached = self.pos.max(fault.at);
        Failure { fault, meant: self.meant, escaped: self.escaped, reached }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    fn slice(&self, range: Range<usize>) -> &str {
        excerpt(self.text, range)
    }

    fn starts(&self, at: usize, with: &str) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(with.as_bytes()))
    }

    fn mark(&self) -> Mark {
        Mark { pos: self.pos, edits: self.script.len() }
    }

    fn push(&mut self, repair: Repair) {
        grow(&mut self.script);
        self.script.push(repair);
    }

    /// A fault at the character under the cursor.
    #[cold]
    fn fault(&self, kind: UnreadableKind) -> Fault {
        let width = self.text.get(self.pos..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        Fault::new(kind, self.pos, self.pos + width)
    }

    #[cold]
    fn fault_from(&self, start: usize, kind: UnreadableKind) -> Fault {
        Fault::new(kind, start, self.pos)
    }

    fn value(&mut self, place: Place) -> Result<End, Fault> {
        let start = self.mark();
        match self.clear_value(place) {
            Err(fault) if self.latitude == Latitude::Guided => self.guided_value(start, place, fault),
            read => read,
        }
    }

    /// A value that the text alone does not make clear. What still cannot be read is refused as before.
    #[cold]
    fn guided_value(&mut self, start: Mark, place: Place, fault: Fault) -> Result<End, Fault> {
        let reached = self.pos;
        let read = match (self.byte(start.pos), fault.kind) {
            (Some(b'"'), UnreadableKind::UncertainQuotes | UnreadableKind::UnclosedString) => {
                self.loose_string(start, place)
            }
            (Some(b'"' | b'\'' | b'`' | b'{' | b'[' | b'<' | b',' | b';' | b'}' | b']') | None, _) => Err(fault),
            (Some(_), UnreadableKind::DigitGrouping) => self.grouped_number(start),
            // Whether a member without a value may be null or left out the schema says.
            (Some(_), UnreadableKind::Undefined) => {
                self.script.truncate(start.edits);
                self.pos = start.pos + "undefined".len();
                self.push(Repair::replace(RepairKind::ForeignLiteral, start.pos..self.pos, "null"));
                self.end_of_bare(start.pos)
            }
            (Some(b'('), UnreadableKind::Expression) if self.tuple(start) => Ok(End::Whole),
            (
                Some(_),
                UnreadableKind::BareValue
                | UnreadableKind::NumberForm
                | UnreadableKind::LeadingZero
                | UnreadableKind::Expression
                | UnreadableKind::Unexpected,
            ) => {
                self.script.truncate(start.edits);
                self.phrase(start.pos, place)
            }
            (Some(_), _) => Err(fault),
        };
        read.map_err(|_| {
            self.pos = reached;
            fault
        })
    }

    fn clear_value(&mut self, place: Place) -> Result<End, Fault> {
        let Some(first) = self.peek() else { return Ok(End::Dropped) };
        match first {
            b'"' | b'\'' | b'`' => self.string(place),
            b'{' => self.nested(Sort::Object),
            b'[' => self.nested(Sort::Array),
            b'.' if self.starts(self.pos, "..") => Err(self.fault(UnreadableKind::Placeholder)),
            b'0'..=b'9' | b'-' | b'+' | b'.' => self.number(place),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.word(place),
            b'\\' => Err(self.escaped_quote()),
            b'<' => Err(self.fault(UnreadableKind::Placeholder)),
            b'(' | b'@' => Err(self.fault(UnreadableKind::Expression)),
            b',' | b';' | b'}' | b']' => Err(self.fault(UnreadableKind::MissingValue)),
            0x80.. if self.is_quote(self.pos) => self.string(place),
            0x80.. if self.starts(self.pos, "…") => Err(self.fault(UnreadableKind::Placeholder)),
            0x80.. => Err(self.fault(UnreadableKind::BareValue)),
            _ => Err(self.fault(UnreadableKind::Unexpected)),
        }
    }

    fn nested(&mut self, sort: Sort) -> Result<End, Fault> {
        if self.open.len() == MAX_DEPTH {
            self.meant = true;
            return Err(self.fault(UnreadableKind::TooDeep));
        }
        self.open.push(sort);
        self.pos += 1;
        let end = self.list(sort);
        self.open.pop();
        end
    }

    fn bare_members(&mut self) -> Result<End, Fault> {
        self.open.push(Sort::Bare);
        self.push(Repair::insert(RepairKind::BracesAdded, self.pos, "{"));
        self.list(Sort::Bare)
    }

    /// `\"` where a quote is due: the whole value may stand inside a string.
    #[cold]
    fn escaped_quote(&mut self) -> Fault {
        self.escaped = true;
        self.fault(UnreadableKind::BadEscape)
    }
}
