//! Wrappers that change how the text inside them is written: CDATA sections of XML, and elements of HTML.
//!
//! What enters is a text; what leaves is the edits that turn what a wrapper holds into the text that it shows. They come
//! before any reading, since the text without them is another text.

use super::edit::{Repair, apply, raw_offset};
use super::html::entities;
use super::kind::RepairKind;
use super::marks::tag_end;
use super::unreadable::UnreadableKind;
use super::{Fault, Reading, repaired_text, strict};
use crate::excerpt::excerpt;
use std::ops::Range;

const CDATA_OPENS: &str = "<![CDATA[";
const CDATA_CLOSES: &str = "]]>";
/// The elements whose text is decoded, as far as somebody puts a value into them.
const ELEMENTS: [&str; 14] =
    ["pre", "code", "samp", "kbd", "tt", "p", "div", "span", "td", "li", "textarea", "body", "blockquote", "output"];

/// A text without its wrapper.
pub(super) struct Unwrapped {
    /// The edits that take the wrapper off.
    pub(super) script: Vec<Repair>,
    /// The text that is left.
    pub(super) text: String,
}

/// Takes the wrapper off a text; none where it has none, or none that changes anything.
pub(super) fn unwrapped(text: &str) -> Option<Unwrapped> {
    if !text.contains('<') {
        return None;
    }
    let script = cdata(text).or_else(|| html(text))?;
    let left = apply(text, 0..text.len(), &script);
    Some(Unwrapped { script, text: left })
}

/// Reads a wrapped text by what reads the text inside it.
pub(super) fn read_inside(
    text: &str,
    inside: &Unwrapped,
    find: impl Fn(&str) -> Result<Reading, Fault>,
) -> Result<Reading, Fault> {
    let moved = |fault: Fault| Fault { at: raw_offset(0, &inside.script, fault.at), ..fault };
    let below = find(&inside.text).map_err(moved)?;
    let repairs = composed(text, &inside.script, &below.repairs);
    let proven = strict::parse(&repaired_text(text, &repairs)).is_ok_and(|value| value == below.value);
    if proven {
        return Ok(Reading { value: below.value, repairs });
    }
    Err(Fault::new(UnreadableKind::UncertainQuotes, 0, text.len()))
}

/// One script in the place of two: the first turns the text into another, which the second edits.
pub(super) fn composed(text: &str, first: &[Repair], second: &[Repair]) -> Vec<Repair> {
    let raw = |at: usize| raw_offset(0, first, at);
    let length = apply(text, 0..text.len(), first).len();
    let mut out: Vec<Repair> = Vec::new();
    let mut rest = first.iter().peekable();
    for edit in second {
        let Range { start, end } = edit.at();
        let from = raw(start);
        let to = if end >= length { text.len() } else { raw(end) };
        // Edits of the first script that lie before this one stay; those within it go.
        while let Some(earlier) = rest.peek() {
            let at = earlier.at();
            if at.end <= from && !(at.start == at.end && at.start == from && from < to) {
                out.push((*earlier).clone());
                rest.next();
            } else if at.start < to.max(from + 1) && at.end <= to.max(from) {
                rest.next();
            } else {
                break;
            }
        }
        out.push(edit.moved(from..to.max(from)));
    }
    out.extend(rest.cloned());
    out
}

/// The only CDATA section of a text.
fn cdata(text: &str) -> Option<Vec<Repair>> {
    let open = text.find(CDATA_OPENS)?;
    let inside = open + CDATA_OPENS.len();
    let close = inside + excerpt(text, inside..).find(CDATA_CLOSES)?;
    let end = close + CDATA_CLOSES.len();
    let holds_value = excerpt(text, inside..close).trim_start().starts_with(['{', '[', '"', '`']);
    let is_only = !excerpt(text, end..).contains(CDATA_OPENS);
    (holds_value && is_only).then(|| {
        let mark = |at| Repair::remove(RepairKind::WrapperTag, at);
        vec![mark(open..inside), mark(close..end)]
    })
}

/// The entities of the elements of HTML that hold a value.
fn html(text: &str) -> Option<Vec<Repair>> {
    let part = element(text)?;
    let script = entities(text, part);
    (!script.is_empty()).then_some(script)
}

/// The text in the first element that holds a value and nothing but further tags before it.
fn element(text: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    text.match_indices('<').find_map(|(at, _)| {
        let end = tag_end(bytes, at)?;
        let name = tag_name(excerpt(text, at..end))?;
        let mut inner = end;
        // `<pre><code class="language-json">`: tags may stand within each other.
        while let Some(next) = tag_end(bytes, inner + blanks(excerpt(text, inner..))) {
            inner = next;
        }
        let begins = excerpt(text, inner..).trim_start().starts_with(['{', '[', '&', '"']);
        let rest = excerpt(text, inner..).to_ascii_lowercase();
        let close = inner + rest.find(&format!("</{name}"))?;
        begins.then_some(inner..close)
    })
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The name of an opening tag, if its element is one of HTML that holds text.
fn tag_name(tag: &str) -> Option<&'static str> {
    let inner = tag.strip_prefix('<')?.strip_suffix('>')?;
    let name = inner.split([' ', '\t', '/']).next()?;
    ELEMENTS.into_iter().find(|known| known.eq_ignore_ascii_case(name))
}
