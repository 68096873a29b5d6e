//! Is what was found the whole value, or a part of something larger that could not be read?

use super::candidate::Candidate;
use super::fault::Fault;
use super::unreadable::UnreadableKind;
use crate::excerpt::excerpt;

/// How much of what follows is shown.
const SHOWN: usize = 40;

/// Refuses a value that is clearly a part of something larger.
pub(super) fn check(text: &str, candidate: &Candidate) -> Result<(), Fault> {
    let before = excerpt(text, ..candidate.span.start).trim_end();
    let after = excerpt(text, candidate.span.end..);
    let span = (candidate.span.start, candidate.span.end);
    if is_inside(before, after) {
        return Err(Fault::new(UnreadableKind::Fragment, span.0, span.1));
    }
    let rest = after.trim_start_matches(['}', ']', ')', ' ', '\t', '\r', '\n']);
    let closers = after.strip_suffix(rest).unwrap_or_default();
    if (closers.contains('}') && candidate.loose.braces) || (closers.contains(']') && candidate.loose.brackets) {
        return Err(Fault::new(UnreadableKind::MismatchedBracket, span.1, span.1 + closers.len()));
    }
    if goes_on(after, rest) {
        let at = text.len() - rest.len();
        return Err(Fault::new(UnreadableKind::ClosedEarly, at, at + SHOWN));
    }
    Ok(())
}

/// A bracket before the value is still open, or a key stands before it.
fn is_inside(before: &str, after: &str) -> bool {
    // What stands before the last mark is settled: another block, or reasoning.
    let near = ["```", "~~~", "</"].iter().filter_map(|mark| before.rfind(mark)).max().unwrap_or(0);
    let near = excerpt(before, near..);
    let open = near.matches(['{', '[']).count() > near.matches(['}', ']']).count();
    // Prompts written as templates double their braces, and models copy that.
    let templated = before.trim() == "{" && after.trim() == "}";
    let valued = before.strip_suffix(':').is_some_and(|key| key.trim_end().ends_with('"'));
    (open && !templated) || valued
}

/// Members or items follow after the value was closed.
fn goes_on(after: &str, rest: &str) -> bool {
    let more = rest.strip_prefix([',', ';']).map_or(rest, str::trim_start);
    let listed = more.len() < rest.len() && more.starts_with(|c: char| c == '"' || c == '\'' || c.is_ascii_digit());
    // A bracket that closes nothing in the text after the value was meant to close the value.
    let near = ["```", "~~~", "<"].iter().filter_map(|mark| rest.find(mark)).min().unwrap_or(rest.len());
    let near = excerpt(rest, ..near);
    let closed = near.matches(['}', ']']).count() > near.matches(['{', '[']).count();
    listed || closed || begins_with_key(more, 0) || after.starts_with(char::is_alphanumeric)
}

/// A text in double quotes and a colon.
pub(super) fn begins_with_key(text: &str, at: usize) -> bool {
    let Some(rest) = text.get(at..).and_then(|rest| rest.strip_prefix('"')) else { return false };
    let mut bytes = rest.bytes().enumerate();
    while let Some((i, byte)) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next();
            }
            b'"' => return rest.get(i + 1..).is_some_and(|r| r.trim_start().starts_with(':')),
            b'\n' => return false,
            _ => {}
        }
    }
    false
}
