//! Finding the one value in a text: what enters is text that is no strict JSON, what leaves is a reading.
//!
//! Every bracket outside a value may begin one. A bracket that begins nothing is part of a sentence. A value that
//! was meant as JSON and cannot be read refuses the text, since what stands inside it must not be taken for the
//! whole; only a fence says clearly where such a value ends, so that the search may go on behind it.
//!
//! Attempts that lead to nothing are paid from a budget of eight times the text, so the search is linear.

use super::Reading;
use super::candidate::{Candidate, read};
use super::edit::Repair;
use super::encoded;
use super::fault::Fault;
use super::kind::RepairKind;
use super::marks::{Reasoning, closing_fence, closing_fence_line, fence_end, reasoning};
use super::mend::{Failure, Latitude, Opening};
use super::outer::{Side, strip};
use super::statements::mark_statements;
use super::unreadable::UnreadableKind;
use super::whole::{begins_with_key, check};
use crate::excerpt::excerpt;

/// What an attempt costs beyond the text it looked at.
const ATTEMPT: usize = 4;
/// Longer than any `const order =`.
const LONGEST_ASSIGNMENT: usize = 120;
const BUDGET_PER_BYTE: usize = 8;

/// Finds the one value of a text.
pub(super) fn find(text: &str) -> Result<Reading, Fault> {
    let start = past_space(text, 0);
    let (found, refused, first) = (Vec::new(), None, None);
    let latitude = Latitude::Text;
    let mut search =
        Search { text, bytes: text.as_bytes(), latitude, start, pos: start, found, refused, first, spent: 0 };
    search.run()?;
    search.choose()
}

/// Every value in a text that may be the payload, in the order of the text, for a schema to choose among.
pub(super) fn find_all(text: &str) -> Result<Vec<Candidate>, Fault> {
    let start = past_space(text, 0);
    let (found, refused, first) = (Vec::new(), None, None);
    let latitude = Latitude::Guided;
    let mut search =
        Search { text, bytes: text.as_bytes(), latitude, start, pos: start, found, refused, first, spent: 0 };
    search.run()?;
    if let Some(refused) = search.refused {
        return Err(refused);
    }
    let outline = start..text.trim_end().len();
    let lists = holds_lists(text, &search.found);
    search.found.retain(|f| {
        let span = &f.candidate.span;
        let apart = stands_alone(text, span.clone()) || is_beside_value(text, span);
        let is_list = lists && f.candidate.value.is_array();
        f.fenced || *span == outline || !is_aside(text, &f.candidate) || apart || is_list
    });
    Ok(search.found.into_iter().map(|found| found.candidate).collect())
}

/// A candidate and how clearly it is marked as a payload.
struct Found {
    candidate: Candidate,
    fenced: bool,
}

struct Search<'a> {
    text: &'a str,
    bytes: &'a [u8],
    latitude: Latitude,
    /// Where the text begins, without the spaces before it.
    start: usize,
    pos: usize,
    found: Vec<Found>,
    /// A value in a fence that was meant and could not be read.
    refused: Option<Fault>,
    /// Why the text itself, and not a bracket in a sentence, is no value.
    first: Option<Fault>,
    spent: usize,
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), Fault> {
        if begins_with_key(self.text, self.pos) {
            self.first_key(false)?;
        }
        while let Some(byte) = self.next_mark() {
            match byte {
                b'`' | b'~' => self.fence(byte)?,
                b'<' => match reasoning(self.text, self.pos) {
                    Some(Reasoning::Until(end)) => self.pos = end,
                    Some(Reasoning::Endless) => self.pos = self.bytes.len(),
                    None => self.pos += 1,
                },
                _ => self.bracket()?,
            }
        }
        Ok(())
    }

    fn next_mark(&mut self) -> Option<u8> {
        let rest = self.bytes.get(self.pos..)?;
        self.pos += rest.iter().position(|b| matches!(b, b'{' | b'[' | b'`' | b'~' | b'<'))?;
        self.bytes.get(self.pos).copied()
    }

    /// Members without braces, where a text or a fenced block begins with a key.
    fn first_key(&mut self, fenced: bool) -> Result<(), Fault> {
        let candidate =
            read(self.text, self.pos, (Opening::FirstKey, self.latitude)).map_err(|failure| failure.fault)?;
        self.keep(candidate, fenced);
        Ok(())
    }

    fn keep(&mut self, candidate: Candidate, fenced: bool) {
        self.pos = candidate.span.end;
        // A link in Markdown, `[text](address)`, is no array.
        let link = self.bytes.get(self.pos) == Some(&b'(') && candidate.value.is_array();
        if let Some(at) = self.doubled_quote(&candidate) {
            self.refused.get_or_insert(Fault::new(UnreadableKind::BadEscape, at, at + 2));
        }
        if !link {
            self.found.push(Found { candidate, fenced });
        }
        // The fence that closes here must not be taken for one that opens.
        let next = past_space(self.text, self.pos);
        self.pos = fence_end(self.bytes, next).unwrap_or(self.pos);
    }

    /// Where a quote is doubled in a value that stands in single quotes itself, as in a literal of SQL: it may mean one.
    fn doubled_quote(&self, candidate: &Candidate) -> Option<usize> {
        let span = &candidate.span;
        let quoted = |at: Option<usize>| at.and_then(|at| self.bytes.get(at)) == Some(&b'\'');
        if !quoted(span.start.checked_sub(1)) || !quoted(Some(span.end)) {
            return None;
        }
        Some(span.start + excerpt(self.text, span.clone()).find("''")?)
    }

    fn fence(&mut self, mark: u8) -> Result<(), Fault> {
        let Some(open) = fence_end(self.bytes, self.pos) else {
            self.pos += 1;
            return Ok(());
        };
        let body = past_space(self.text, open);
        self.pos = body;
        if begins_with_key(self.text, body) {
            return self.first_key(true);
        }
        match self.bytes.get(body) {
            Some(b'{' | b'[') => match read(self.text, body, (Opening::Bracket, self.latitude)) {
                Ok(candidate) => self.keep(candidate, true),
                Err(failure) if failure.escaped => self.encoded(body, true)?,
                Err(failure) => self.skip_block(mark, &failure)?,
            },
            Some(_) if self.may_hold_payload(body) => {}
            Some(_) => self.pos = closing_fence(self.text, body, mark).unwrap_or(body),
            None => {}
        }
        Ok(())
    }

    /// A block such as `const order = {` holds a payload although it does not begin with it.
    fn may_hold_payload(&self, body: usize) -> bool {
        let mut before = None;
        for byte in self.bytes.iter().skip(body).take(LONGEST_ASSIGNMENT) {
            match byte {
                b'{' | b'[' => return matches!(before, Some(b'=' | b'"' | b'\'' | b'>')),
                b'\n' => return false,
                b' ' | b'\t' => {}
                other => before = Some(*other),
            }
        }
        false
    }

    /// Goes on behind a block that cannot be read.
    fn skip_block(&mut self, mark: u8, failure: &Failure) -> Result<(), Fault> {
        let closing = closing_fence_line(self.text, self.pos, mark);
        match (closing, failure.meant) {
            (Some(end), meant) => {
                self.pos = end;
                if meant && self.refused.is_none() {
                    self.refused = Some(failure.fault);
                }
                Ok(())
            }
            (None, true) => Err(failure.fault),
            (None, false) => self.no_value(failure),
        }
    }

    fn bracket(&mut self) -> Result<(), Fault> {
        match read(self.text, self.pos, (Opening::Bracket, self.latitude)) {
            Ok(candidate) => self.keep(candidate, false),
            Err(failure) if failure.escaped => self.encoded(self.pos, false)?,
            Err(failure) if failure.meant => return Err(failure.fault),
            Err(failure) => self.no_value(&failure)?,
        }
        Ok(())
    }

    /// A bracket that begins nothing.
    fn no_value(&mut self, failure: &Failure) -> Result<(), Fault> {
        if self.pos == self.start {
            self.first = Some(failure.fault);
        }
        self.spend(failure.reached.saturating_sub(self.pos))?;
        self.pos += 1;
        Ok(())
    }

    fn spend(&mut self, bytes: usize) -> Result<(), Fault> {
        self.spent += bytes + ATTEMPT;
        if self.spent > BUDGET_PER_BYTE * self.bytes.len() {
            return Err(Fault::new(UnreadableKind::TooManyCandidates, self.pos, self.pos + 1));
        }
        Ok(())
    }

    /// A value whose quotes are all escaped.
    fn encoded(&mut self, at: usize, fenced: bool) -> Result<(), Fault> {
        let (candidate, reached) = encoded::candidate(self.text, at)?;
        self.spend(reached - at)?;
        self.keep(candidate, fenced);
        Ok(())
    }

    fn choose(self) -> Result<Reading, Fault> {
        let Self { text, mut found, refused, first: failed, start, .. } = self;
        let outline = start..text.trim_end().len();
        let lists = holds_lists(text, &found);
        found.retain(|f| {
            let span = &f.candidate.span;
            // Where the payload is a list, a short list beside it is another answer.
            if lists && f.candidate.value.is_array() {
                return true;
            }
            let empty = is_empty(&f.candidate) && (stands_alone(text, span.clone()) || is_beside_value(text, span));
            f.fenced || *span == outline || empty || !is_aside(text, &f.candidate)
        });
        // Behind a block that could not be read, only another block is surely no part of it.
        found.retain(|f| f.fenced || refused.is_none());
        let mut candidates = found.into_iter().map(|f| f.candidate);
        let Some(first) = candidates.next() else { return Err(refused.or(failed).unwrap_or_else(|| nothing(text))) };
        let mut before = Vec::new();
        check(text, &first)?;
        strip(text, 0..first.span.start, Side::Before, &mut before);
        // The script of a value may be long; what stands before it is not.
        let mut repairs = first.script;
        repairs.splice(0..0, before);
        let mut end = first.span.end;
        for copy in candidates {
            let between = excerpt(text, end..copy.span.start);
            if copy.value != first.value || between.trim() == "," {
                return Err(Fault::new(UnreadableKind::SeveralValues, copy.span.start, copy.span.end));
            }
            strip(text, end..copy.span.start, Side::After, &mut repairs);
            repairs.push(Repair::remove(RepairKind::DoubledValue, copy.span.clone()));
            end = copy.span.end;
        }
        strip(text, end..text.len(), Side::After, &mut repairs);
        mark_statements(text, &mut repairs);
        Ok(Reading { value: first.value, repairs })
    }
}

/// `[1]`, `[INFO]` or `{}` in a sentence: a note or a word, and not the payload.
fn is_aside(text: &str, candidate: &Candidate) -> bool {
    let inner = excerpt(text, candidate.span.clone());
    !inner.contains(['"', '\'', ',', ':', '=', '“', '`'])
        && inner.bytes().filter(|b| matches!(b, b'{' | b'[')).count() == 1
}

/// Whether a list stands in a text that is more than a note: it says more than one thing, or stands apart.
fn holds_lists(text: &str, found: &[Found]) -> bool {
    found.iter().any(|f| {
        let span = &f.candidate.span;
        let apart = f.fenced || stands_alone(text, span.clone()) || is_beside_value(text, span);
        f.candidate.value.is_array() && (apart || !is_aside(text, &f.candidate))
    })
}

fn is_empty(candidate: &Candidate) -> bool {
    candidate.value.as_object().is_some_and(serde_json::Map::is_empty)
        || candidate.value.as_array().is_some_and(Vec::is_empty)
}

/// Whether a value has a line to itself, but for a label before it, and marks or a comment behind it.
fn stands_alone(text: &str, span: std::ops::Range<usize>) -> bool {
    let blank = [' ', '\t', '\r', '*', '_'];
    let before = excerpt(text, ..span.start).trim_end_matches(blank);
    let after = excerpt(text, span.end..);
    let after = after.trim_start_matches(blank).trim_start_matches([',', ';', '.']).trim_start_matches(blank);
    // A value behind a finished sentence belongs to none.
    let opens = before.is_empty() || before.ends_with(['\n', ':', '=', '>', '`', '\u{feff}', '.', '!']);
    let comment = ["//", "/*", "#", "```", "~~~", "</", "`", "<-"].iter().any(|mark| after.starts_with(mark));
    opens && (after.is_empty() || after.starts_with('\n') || comment)
}

/// Whether a bracket of another value stands directly beside a value.
fn is_beside_value(text: &str, span: &std::ops::Range<usize>) -> bool {
    let gap = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    let before = excerpt(text, ..span.start).trim_end_matches(gap);
    let after = excerpt(text, span.end..).trim_start_matches(gap);
    before.ends_with(['}', ']']) || after.starts_with(['{', '['])
}

/// Why there is no value at all.
fn nothing(text: &str) -> Fault {
    let start = past_space(text, 0);
    let kind = if start == text.len() {
        UnreadableKind::Empty
    } else if text.contains(|c: char| (c.is_control() && !c.is_whitespace()) || c == '\u{fffd}') {
        UnreadableKind::Binary
    } else {
        UnreadableKind::NoJson
    };
    Fault::new(kind, start, text.len())
}

/// The first place from `at` on that is no space and no byte order mark.
fn past_space(text: &str, at: usize) -> usize {
    let blank = |c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}');
    let rest = excerpt(text, at..);
    at + (rest.len() - rest.trim_start_matches(blank).len())
}
