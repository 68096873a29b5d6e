//! Marks that lie over a whole text and hide it: quotation marks of mail, numbers, times or names before each line,
//! colours of a terminal, entities and line breaks of HTML, bullets and emphasis of Markdown, doubled quotes,
//! punctuation of other scripts.
//!
//! They are removed by edits, so that what is read below them keeps its own repairs, and both are recorded.

use super::logged::logged_lines;
use crate::excerpt::excerpt;
use crate::repair::edit::{Repair, apply};
use crate::repair::kind::RepairKind;
use crate::repair::wrapped::composed;

/// The edits that take the marks off a text; none where it has none.
pub(super) fn unmarked(text: &str) -> Option<Vec<Repair>> {
    let passes: [fn(&str) -> Vec<Repair>; 13] = [
        colours,
        quoted_lines,
        quoted_block,
        numbered_lines,
        timed_lines,
        logged_lines,
        prefixed_lines,
        line_breaks,
        entities,
        emphasis,
        quoted_cell,
        doubled_quotes,
        full_width,
    ];
    let mut script: Vec<Repair> = Vec::new();
    let mut current = text.to_owned();
    for pass in passes {
        let edits = pass(&current);
        if edits.is_empty() {
            continue;
        }
        let next = apply(&current, 0..current.len(), &edits);
        script = composed(text, &script, &edits);
        if apply(text, 0..text.len(), &script) != next {
            return None;
        }
        current = next;
    }
    (!script.is_empty()).then_some(script)
}

/// Control sequences that colour the output of a terminal.
fn colours(text: &str) -> Vec<Repair> {
    let mut edits = Vec::new();
    for (at, _) in text.match_indices("\u{1b}[") {
        let rest = excerpt(text, at + 2..);
        let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == ';')).unwrap_or(rest.len());
        if rest.get(digits..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic())) {
            edits.push(Repair::remove(RepairKind::Markup, at..at + 3 + digits));
        }
    }
    edits
}

/// `> ` before every line that is not empty.
fn quoted_lines(text: &str) -> Vec<Repair> {
    marked_lines(text, |_, line| {
        let rest = line.trim_start_matches([' ', '\t']).strip_prefix('>')?;
        // `>7` is a bound.
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        Some(line.len() - rest.strip_prefix(' ').unwrap_or(rest).len())
    })
}

/// `1 | `, `1: ` or `1. ` before every line, counted up, with a bracket or a key behind the first.
fn numbered_lines(text: &str) -> Vec<Repair> {
    let first = text.lines().find_map(|line| {
        let line = line.trim_start();
        line.get(..line.find(|c: char| !c.is_ascii_digit())?)?.parse::<usize>().ok()
    });
    let Some(first) = first else { return Vec::new() };
    let edits = marked_lines(text, |index, line| {
        let body = line.trim_start_matches([' ', '\t']);
        let rest = body.strip_prefix(&(first + index).to_string())?;
        let marked = [" | ", "| ", " |", ": ", ":", "\t", "|", " \u{2502} ", "\u{2502} "];
        // Blanks alone are marks only before a bracket: `2 apples` counts something.
        let blanks = || rest.strip_prefix([' ', '\t']).filter(|_| index > 0 || begins_value(rest));
        let marked = marked.iter().find_map(|mark| rest.strip_prefix(mark)).or_else(blanks);
        let rest = marked.or_else(|| rest.is_empty().then_some(rest))?;
        Some(line.len() - rest.len())
    });
    if edits.len() < 2 { Vec::new() } else { edits }
}

/// Whether a bracket that opens a value stands first.
fn begins_value(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// `> ` before the lines of one block that begins with a bracket, with prose around it.
fn quoted_block(text: &str) -> Vec<Repair> {
    let mut edits = Vec::new();
    let (mut at, mut closed) = (0, false);
    for line in text.split('\n') {
        match line.strip_prefix('>') {
            Some(_) if closed => return Vec::new(),
            Some(rest) if edits.is_empty() && !begins_value(rest) => return Vec::new(),
            Some(rest) => {
                let width = line.len() - rest.strip_prefix(' ').unwrap_or(rest).len();
                edits.push(Repair::remove(RepairKind::Markup, at..at + width));
            }
            None => closed = closed || !edits.is_empty(),
        }
        at += line.len() + 1;
    }
    edits
}

/// A date and time before every line, as container logs have them, with a bracket behind the first.
fn timed_lines(text: &str) -> Vec<Repair> {
    let edits = marked_lines(text, |index, line| {
        let (time, rest) = line.split_once(' ')?;
        let digits = time.bytes().filter(u8::is_ascii_digit).count();
        let is_time = time.contains('T') && time.contains(':') && time.contains('-') && digits >= 14;
        (is_time && (index > 0 || begins_value(rest))).then_some(time.len() + 1)
    });
    if edits.len() < 2 { Vec::new() } else { edits }
}

/// The same words before every line, with a bracket behind the first: `web_1  | {`, or `+{` in a patch.
fn prefixed_lines(text: &str) -> Vec<Repair> {
    let first = text.split('\n').find(|line| !line.trim().is_empty()).unwrap_or_default();
    let prefix = first.find(['{', '[']).and_then(|at| first.get(..at)).unwrap_or_default();
    let is_mark = !prefix.trim().is_empty() && !prefix.contains(['"', '\'', ':', '=']);
    let ends = prefix.trim_end().ends_with(['|', '+', '>', '#', '*', '%', ']', ')', '$', '/']);
    if !is_mark || !ends {
        return Vec::new();
    }
    let bare = prefix.trim_end();
    let edits = marked_lines(text, |_, line| {
        line.starts_with(prefix).then_some(prefix.len()).or_else(|| (line.trim_end() == bare).then_some(bare.len()))
    });
    if edits.len() < 2 { Vec::new() } else { edits }
}

/// `<br>` and `&nbsp;` between tokens, where a text was copied from a page.
fn line_breaks(text: &str) -> Vec<Repair> {
    let mut edits = Vec::new();
    let mut within = Within::default();
    let mut past = 0;
    for (at, c) in text.char_indices() {
        if within.string(c) || at < past {
            continue;
        }
        let rest = excerpt(text, at..);
        let mark = ["<br>", "<br/>", "<br />", "<BR>", "&nbsp;"].iter().find(|mark| rest.starts_with(*mark));
        if let Some(mark) = mark {
            let end = at + mark.len();
            // Two words stay two.
            let joins = excerpt(text, ..at).ends_with(char::is_alphanumeric)
                && excerpt(text, end..).starts_with(char::is_alphanumeric);
            edits.push(Repair::replace(RepairKind::Markup, at..end, if joins { " " } else { "" }));
            past = end;
        }
    }
    edits
}

/// `**` around quoted keys and values, and `- ` or `* ` before the members of an object.
fn emphasis(text: &str) -> Vec<Repair> {
    let mut edits = Vec::new();
    let mut within = Within::default();
    let mut past = 0;
    let mut before = ' ';
    let mut line_start = true;
    for (at, c) in text.char_indices() {
        if within.string(c) || at < past {
            before = c;
            line_start = false;
            continue;
        }
        let rest = excerpt(text, at..);
        let bold = rest.starts_with("**") && (rest.starts_with("**\"") || before == '"');
        let bullet = line_start && ["- \"", "* \"", "• \""].iter().any(|mark| rest.starts_with(mark));
        let width = if bold {
            2
        } else if bullet {
            c.len_utf8() + 1
        } else {
            0
        };
        if width > 0 {
            edits.push(Repair::remove(RepairKind::Markup, at..at + width));
            past = at + width;
        }
        line_start = c == '\n' || (line_start && c.is_whitespace());
        before = c;
    }
    // A list of lines in Markdown has bullets too; only members of an object are meant.
    if text.contains('{') { edits } else { Vec::new() }
}

/// A cell of CSV that is one value: quotes around it, and two quotes for each of its own.
fn quoted_cell(text: &str) -> Vec<Repair> {
    let start = text.len() - text.trim_start().len();
    let trimmed = text.trim();
    let inner = trimmed.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
    let is_value = inner.starts_with(['{', '[']) && inner.ends_with(['}', ']']) && !inner.contains("\\\"");
    let pairs: Vec<usize> = inner.match_indices("\"\"").map(|(at, _)| at).collect();
    if !is_value || pairs.is_empty() || inner.matches('"').count() != 2 * pairs.len() {
        return Vec::new();
    }
    let (open, close) = (start, start + trimmed.len() - 1);
    let mut edits = vec![Repair::remove(RepairKind::Markup, open..open + 1)];
    let from = open + 1;
    edits.extend(pairs.iter().map(|at| Repair::replace(RepairKind::SingleQuotes, from + at..from + at + 2, "\"")));
    edits.push(Repair::remove(RepairKind::Markup, close..close + 1));
    edits
}

/// `''` or `""` in place of every quotation mark, as images that were read and cells of CSV have it.
fn doubled_quotes(text: &str) -> Vec<Repair> {
    for (pair, mark, other) in [("''", '\'', '"'), ("\"\"", '"', '\'')] {
        let pairs: Vec<usize> = text.match_indices(pair).map(|(at, _)| at).collect();
        let all = text.matches(mark).count() == 2 * pairs.len() && !text.contains(other);
        // Three quotes or more in a row are not clear: an empty text, or one that begins with a quote.
        let apart = pairs.windows(2).all(|two| matches!(two, [one, next] if one + 2 < *next));
        if all && apart && pairs.len() >= 2 && pairs.len().is_multiple_of(2) {
            let kind = RepairKind::SingleQuotes;
            return pairs.into_iter().map(|at| Repair::replace(kind, at..at + 2, "\"")).collect();
        }
    }
    Vec::new()
}

/// The place of a reader relative to strings in double quotes.
#[derive(Debug, Default)]
struct Within {
    open: bool,
    escaped: bool,
}

impl Within {
    /// Takes a character, and tells whether it belongs to a string, its quotes included.
    fn string(&mut self, c: char) -> bool {
        if !self.open {
            self.open = c == '"';
            return self.open;
        }
        match c {
            _ if self.escaped => self.escaped = false,
            '\\' => self.escaped = true,
            '"' => self.open = false,
            _ => {}
        }
        true
    }
}

/// Edits that remove a mark from every line that is not empty; none where a line has no mark.
fn marked_lines(text: &str, mark: impl Fn(usize, &str) -> Option<usize>) -> Vec<Repair> {
    let mut edits = Vec::new();
    let mut at = 0;
    for line in text.split('\n') {
        if !line.trim().is_empty() {
            let Some(width) = mark(edits.len(), line) else { return Vec::new() };
            edits.push(Repair::remove(RepairKind::Markup, at..at + width));
        }
        at += line.len() + 1;
    }
    edits
}

/// `&quot;` and the other entities, where a text has no quotes but those.
fn entities(text: &str) -> Vec<Repair> {
    const ENTITIES: [(&str, &str); 9] = [
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#x22;", "\""),
        ("&apos;", "'"),
        ("&#39;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
        ("&nbsp;", " "),
    ];
    const BRACKETS: [(&str, &str); 12] = [
        ("&#123;", "{"),
        ("&#125;", "}"),
        ("&#91;", "["),
        ("&#93;", "]"),
        ("&#x7B;", "{"),
        ("&#x7D;", "}"),
        ("&#x5B;", "["),
        ("&#x5D;", "]"),
        ("&#x7b;", "{"),
        ("&#x7d;", "}"),
        ("&#x5b;", "["),
        ("&#x5d;", "]"),
    ];
    let quoting = ["&quot;", "&#34;", "&#x22;", "&apos;", "&#39;"].iter().any(|entity| text.contains(entity));
    // Brackets of a text without any.
    let bracketing = !text.contains(['{', '[']) && BRACKETS.iter().any(|(entity, _)| text.contains(entity));
    if (text.contains('"') || !quoting) && !bracketing {
        return Vec::new();
    }
    let known: Vec<&(&str, &str)> = match text.contains('"') {
        true => BRACKETS.iter().collect(),
        false => ENTITIES.iter().chain(&BRACKETS).collect(),
    };
    let mut edits = Vec::new();
    for (at, _) in text.match_indices('&') {
        let rest = excerpt(text, at..);
        if let Some((entity, char)) = known.iter().find(|(entity, _)| rest.starts_with(entity)) {
            edits.push(Repair::replace(RepairKind::ForeignEscape, at..at + entity.len(), *char));
        }
    }
    edits
}

/// Punctuation in full width outside strings: `，`, `：`, `｛`, `【`.
fn full_width(text: &str) -> Vec<Repair> {
    let mut edits = Vec::new();
    let mut open: Option<char> = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match (open, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(close), c) if c == close => open = None,
            (Some(_), _) => {}
            (None, '"') => open = Some('"'),
            (None, '“') => open = Some('”'),
            (None, '\'') => {}
            (None, c) => {
                let ascii = match c {
                    '，' | '、' | '\u{60c}' => ",",
                    '：' => ":",
                    '｛' => "{",
                    '｝' => "}",
                    '［' | '【' => "[",
                    '］' | '】' => "]",
                    '＂' => "\"",
                    _ => continue,
                };
                let kind = if ascii == ":" { RepairKind::KeySeparator } else { RepairKind::Separator };
                edits.push(Repair::replace(kind, at..at + c.len_utf8(), ascii));
            }
        }
    }
    // Prose in Chinese or Japanese has such marks too; a text without brackets is prose.
    if text.contains(['{', '[', '｛', '［', '【']) { edits } else { Vec::new() }
}
