//! Detection of a format by the first bytes, and by the expected format if they could be several.
//!
//! Input: the first bytes of an artifact. Output: a format. Marks that only one format has decide alone. Among texts the
//! expected format is accepted unless the text is clearly another one, since a line of prose is also Markdown, YAML and a
//! table of one column.

use crate::bytes::{self, after, before};
use deed_model::{Agreement, ArtifactFormat, DetectedFormat};
use deed_table::cells::{Found, Scanner, Span};

/// The number of records that are checked to detect a table.
const RECORDS: usize = 50;

/// The number of lines that are checked to detect a markup.
const LINES: usize = 100;

/// Detects the format of the first bytes. `all` is true if nothing follows them.
pub(crate) fn detect(head: &[u8], all: bool, expected: Option<ArtifactFormat>) -> DetectedFormat {
    if head.is_empty() {
        return DetectedFormat::Empty;
    }
    if let Some(format) = by_mark(head) {
        return format;
    }
    let Some(text) = text(head, all) else { return DetectedFormat::Binary };
    let plain = by_text(text, all);
    match expected {
        Some(expected) => believed(text, plain, all, expected).unwrap_or(plain),
        None => plain,
    }
}

/// Compares a format with the expected one.
pub(crate) fn agreement(detected: DetectedFormat, expected: Option<ArtifactFormat>) -> Agreement {
    use DetectedFormat as D;
    let agrees = match expected {
        None | Some(ArtifactFormat::Other) => return Agreement::NotAsked,
        Some(ArtifactFormat::Json) => matches!(detected, D::Json | D::JsonRows),
        Some(ArtifactFormat::Csv) => detected == D::Csv,
        Some(ArtifactFormat::Tsv) => detected == D::Tsv,
        Some(ArtifactFormat::Parquet) => detected == D::Parquet,
        Some(ArtifactFormat::Html) => detected == D::Html,
        Some(ArtifactFormat::Md) => matches!(detected, D::Markdown | D::Empty),
        Some(ArtifactFormat::Txt) => matches!(detected, D::Text | D::Empty),
        Some(ArtifactFormat::Pdf) => detected == D::Pdf,
        Some(ArtifactFormat::Yaml) => detected == D::Yaml,
    };
    if agrees { Agreement::Yes } else { Agreement::No }
}

fn by_mark(head: &[u8]) -> Option<DetectedFormat> {
    let first = bytes::head(head, 1024);
    match head {
        [b'P', b'A', b'R', b'1' | b'E', ..] => Some(DetectedFormat::Parquet),
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(DetectedFormat::Zip),
        [0xff, 0xfe, 0, 0, ..] => Some(DetectedFormat::Binary),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some(DetectedFormat::Utf16),
        _ if memchr::memmem::find(first, b"%PDF-").is_some_and(|at| head.get(..at).is_some_and(is_leading_noise)) => {
            Some(DetectedFormat::Pdf)
        }
        _ if memchr::memchr(0, head).is_some() => {
            Some(if is_utf16(first) { DetectedFormat::Utf16 } else { DetectedFormat::Binary })
        }
        _ => None,
    }
}

/// Returns whether bytes before a PDF are noise, which PDF readers accept. Text there makes it another format.
fn is_leading_noise(before: &[u8]) -> bool {
    before.is_empty() || before.iter().filter(|byte| byte.is_ascii_graphic()).count() < before.len() / 2
}

/// Returns whether bytes are UTF-16 without a mark: nearly every second byte is NUL.
fn is_utf16(head: &[u8]) -> bool {
    let pairs = head.len() / 2;
    let (even, odd) = head.chunks_exact(2).fold((0, 0), |(even, odd), pair| match pair {
        [0, other] if *other != 0 => (even + 1, odd),
        [other, 0] if *other != 0 => (even, odd + 1),
        _ => (even, odd),
    });
    pairs >= 4 && (even * 10 > pairs * 8 || odd * 10 > pairs * 8)
}

/// The head without a byte order mark, if it is text, in UTF-8 or mostly in ASCII.
fn text(head: &[u8], all: bool) -> Option<&[u8]> {
    let control = head.iter().filter(|byte| **byte < 32 && !matches!(byte, b'\t' | b'\n' | b'\r' | 12 | 27)).count();
    let text = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && !all || is_mostly_ascii(head),
    };
    (text && control * 100 <= head.len()).then_some(head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head))
}

fn is_mostly_ascii(head: &[u8]) -> bool {
    head.iter().filter(|byte| byte.is_ascii()).count() * 10 >= head.len() * 7
}

/// The expected format, unless the text is clearly another one.
fn believed(text: &[u8], plain: DetectedFormat, all: bool, expected: ArtifactFormat) -> Option<DetectedFormat> {
    use DetectedFormat as D;
    let first = text.trim_ascii_start().first().copied().unwrap_or(0);
    let page = plain == D::Html && is_page(text);
    let json = matches!(plain, D::Json | D::JsonRows | D::JsonLines);
    let (format, plausible) = match expected {
        ArtifactFormat::Json => {
            let begins = matches!(first, b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n');
            (D::Json, plain == D::Json || begins && !matches!(plain, D::JsonLines | D::Csv | D::Tsv) && is_scalar(text))
        }
        ArtifactFormat::Csv => (D::Csv, !page && !json && is_table(text, b',', all, Width::Any)),
        ArtifactFormat::Tsv => (D::Tsv, !page && !json && is_table(text, b'\t', all, Width::Any)),
        ArtifactFormat::Html => (D::Html, plain == D::Html || first == b'<' && is_tagged(text)),
        ArtifactFormat::Md => (D::Markdown, !page && !json),
        ArtifactFormat::Txt => (D::Text, true),
        ArtifactFormat::Yaml => (D::Yaml, !page && (json || plain == D::Yaml || is_yaml(text, Lines::Some))),
        ArtifactFormat::Parquet | ArtifactFormat::Pdf | ArtifactFormat::Other => return None,
    };
    plausible.then_some(format)
}

fn by_text(text: &[u8], all: bool) -> DetectedFormat {
    let start = text.trim_ascii_start();
    match start.first() {
        None => return DetectedFormat::Text,
        Some(b'{' | b'[') if is_json(start) => {
            return if is_json_lines(start) { DetectedFormat::JsonLines } else { DetectedFormat::Json };
        }
        Some(b'<') if is_page(start) || is_tagged(start) => return DetectedFormat::Html,
        Some(_) => {}
    }
    if is_table(text, b'\t', all, Width::Several) {
        DetectedFormat::Tsv
    } else if is_table(text, b',', all, Width::Several) {
        DetectedFormat::Csv
    } else if is_yaml(text, Lines::Most) {
        DetectedFormat::Yaml
    } else if is_markdown(text) {
        DetectedFormat::Markdown
    } else {
        DetectedFormat::Text
    }
}

/// Returns whether a bracket begins JSON: a template or a flow of YAML continues with other characters.
fn is_json(start: &[u8]) -> bool {
    let next = after(start, 1).trim_ascii_start().first();
    match start.first() {
        Some(b'{') => matches!(next, None | Some(b'"' | b'}')),
        _ => matches!(next, None | Some(b'{' | b'[' | b']' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')),
    }
}

/// Returns whether there are two lines or more, the first a whole object or list and the second the beginning of one.
fn is_json_lines(start: &[u8]) -> bool {
    let whole = |line: &[u8]| {
        let line = line.trim_ascii();
        matches!((line.first(), line.last()), (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']'))) && line.len() > 1
    };
    let mut lines = start.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    lines.next().is_some_and(whole) && lines.next().is_some_and(|line| matches!(line.first(), Some(b'{' | b'[')))
}

/// Returns whether text that begins like JSON may be JSON; text that begins with a word must be that one word.
fn is_scalar(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    matches!(text.first(), Some(b'{' | b'[' | b'"')) || !text.iter().any(|byte| byte.is_ascii_whitespace())
}

fn begins(text: &[u8], with: &str) -> bool {
    text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
}

/// Returns whether text is a whole page of HTML.
fn is_page(text: &[u8]) -> bool {
    let mut start = text.trim_ascii_start();
    while let Some(comment) = start.strip_prefix(b"<!--") {
        let Some(end) = memchr::memmem::find(comment, b"-->") else { return false };
        start = after(comment, end + 3).trim_ascii_start();
    }
    begins(start, "<!doctype html") || begins(start, "<html") || begins(start, "<head") || begins(start, "<body")
}

/// Returns whether text is a fragment of HTML: it begins with one of its elements.
fn is_tagged(text: &[u8]) -> bool {
    const USUAL: [&str; 30] = [
        "div", "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "section", "article", "main", "header",
        "footer", "nav", "span", "a", "img", "form", "title", "meta", "style", "script", "link", "template", "figure",
        "strong", "em",
    ];
    let Some(name) = text.trim_ascii_start().strip_prefix(b"<") else { return false };
    let end = name.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(name.len());
    let name = before(name, end);
    is_page(text) || USUAL.iter().any(|usual| name.eq_ignore_ascii_case(usual.as_bytes()))
}

/// The number of columns that a table must have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    /// One is enough: a table is expected.
    Any,
    Several,
}

/// Returns whether text is a table: records of one width below a header that looks like names.
fn is_table(text: &[u8], delimiter: u8, all: bool, width: Width) -> bool {
    let scanner = Scanner::new(delimiter, 200_000, usize::MAX);
    let (mut at, mut header, mut records) = (0, 0, 0);
    let mut spans = Vec::new();
    while records < RECORDS && at < text.len() {
        let rest = after(text, at);
        let length = match scanner.scan(rest, all, &mut spans) {
            Ok(Found::Record { length, .. }) => length,
            // A header that continues beyond the first bytes.
            Ok(Found::More) if records == 0 => return width == Width::Any && spans.len() > 1,
            Ok(Found::More) => break,
            // Where a table is expected, one that is broken is a broken table.
            Err(_) => return width == Width::Any && header > 1,
        };
        at += length;
        // A blank line is not a record; one character on a line is.
        if let [Span { start: 0, end: 0, .. }] = spans.as_slice() {
            continue;
        }
        records += 1;
        if records > 1 && spans.len() != header {
            return width == Width::Any && header > 1;
        }
        if records == 1 {
            header = spans.len();
            let cells = spans.iter().map(|span| span.of(rest));
            if !is_header(&cells.collect::<Vec<_>>(), width) {
                return false;
            }
        }
    }
    match width {
        Width::Any => records > 0,
        Width::Several => header > 1 && records > 1,
    }
}

/// Returns whether cells are names, and not parts of a sentence: those are long, or begin with the space after a comma.
fn is_header(cells: &[&[u8]], width: Width) -> bool {
    let words = |cell: &[u8]| cell.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).count();
    let empty = width == Width::Any && cells.len() > 1;
    let name = |cell: &&[u8]| {
        cell.len() <= 128
            && words(cell) <= 8
            && !cell.ends_with(b".")
            // A name in quotes may have several lines, where a table is expected.
            && (width == Width::Any || !cell.contains(&b'\n'))
            && (empty || !cell.is_empty())
    };
    let spaced = cells.len() > 1 && cells.iter().skip(1).all(|cell| cell.starts_with(b" "));
    let wordy = width == Width::Several || cells.iter().any(|cell| words(cell) > 3);
    cells.iter().all(name) && !(spaced && wordy)
}

/// The share of lines that must be YAML.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    Some,
    Most,
}

fn is_yaml(text: &[u8], demand: Lines) -> bool {
    if begins(text, "%YAML") || begins(text, "---\n") && !is_front_matter(text) {
        return true;
    }
    let (mut lines, mut keyed, mut first_keyed) = (0, 0, false);
    for line in text.split(|byte| *byte == b'\n').take(LINES) {
        let inner = line.trim_ascii();
        if inner.is_empty() || inner.starts_with(b"#") {
            continue;
        }
        lines += 1;
        let is_keyed = is_keyed(inner);
        keyed += usize::from(is_keyed);
        first_keyed |= lines == 1 && is_keyed;
    }
    let has_key = memchr::memmem::find(text, b": ").is_some() || memchr::memmem::find(text, b":\n").is_some();
    match demand {
        Lines::Some => first_keyed,
        Lines::Most => first_keyed && has_key && lines > 1 && keyed * 10 >= lines * 8,
    }
}

/// Returns whether a line is `key: value` or an item of a list.
fn is_keyed(line: &[u8]) -> bool {
    let line = match line.strip_prefix(b"- ") {
        Some(_) => return true,
        None => line,
    };
    let Some(colon) = memchr::memchr(b':', line) else { return line == b"-" };
    let key = before(line, colon);
    let quoted = key.len() > 1 && key.first() == key.last() && matches!(key.first(), Some(b'"' | b'\''));
    let plain = key.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b'$'));
    (quoted || plain && !key.is_empty()) && matches!(line.get(colon + 1), None | Some(b' ' | b'\t'))
}

/// Returns whether text begins with a block of YAML before Markdown.
fn is_front_matter(text: &[u8]) -> bool {
    let rest = after(text, 4);
    match memchr::memmem::find(rest, b"\n---\n") {
        Some(end) => {
            let body = after(rest, end + 5).trim_ascii_start();
            !body.is_empty() && !body.split(|byte| *byte == b'\n').next().is_some_and(is_keyed)
        }
        None => false,
    }
}

fn is_markdown(text: &[u8]) -> bool {
    let mut marks = 0;
    for line in text.split(|byte| *byte == b'\n').take(LINES) {
        let hashes = line.iter().take_while(|byte| **byte == b'#').count();
        if (1..=6).contains(&hashes) && line.get(hashes) == Some(&b' ') || line.starts_with(b"```") {
            marks += 2;
        }
        let listed =
            line.starts_with(b"- ") || line.starts_with(b"* ") || line.starts_with(b"> ") || line.starts_with(b"|");
        let linked = memchr::memmem::find(line, b"](").is_some() || memchr::memmem::find(line, b"**").is_some();
        marks += usize::from(listed) + usize::from(linked);
    }
    marks >= 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use DetectedFormat as D;

    fn plain(text: impl AsRef<[u8]>) -> D {
        detect(text.as_ref(), true, None)
    }

    fn asked(text: impl AsRef<[u8]>, expected: ArtifactFormat) -> (D, Agreement) {
        let found = detect(text.as_ref(), true, Some(expected));
        (found, agreement(found, Some(expected)))
    }

    #[test]
    fn a_format_is_detected_by_content_alone() {
        assert_eq!(plain(""), D::Empty);
        assert_eq!(plain("{\"a\": 1}"), D::Json);
        assert_eq!(plain("[{\"a\": 1}]"), D::Json);
        assert_eq!(plain("{\"a\":1}\n{\"a\":2}\n"), D::JsonLines);
        assert_eq!(plain("{\n\"a\":1\n}\n"), D::Json);
        assert_eq!(plain("a,b\n1,2\n"), D::Csv);
        assert_eq!(plain("a\tb\n1\t2\n"), D::Tsv);
        assert_eq!(plain("PAR1xxxx"), D::Parquet);
        assert_eq!(plain("name: x\nsize: 3\n"), D::Yaml);
        assert_eq!(plain("---\na: 1\n"), D::Yaml);
        assert_eq!(plain("---\ntitle: x\n---\n\n# Report\n\nText.\n"), D::Markdown);
        assert_eq!(plain("<!DOCTYPE html><html></html>"), D::Html);
        assert_eq!(plain("<!-- x -->\n<html>"), D::Html);
        assert_eq!(plain("# Report\n\n- one\n- two\n"), D::Markdown);
        assert_eq!(plain("Well, this is text.\nAnd, so is this.\n"), D::Text);
        assert_eq!(plain("{{ name }} hello"), D::Text);
        assert_eq!(plain("PK\x03\x04"), D::Zip);
        assert_eq!(plain("%PDF-1.7\n"), D::Pdf);
        assert_eq!(plain("how to write %PDF-1.7\n"), D::Text);
        assert_eq!(plain([0x89, b'P', b'N', b'G', 0, 1]), D::Binary);
        assert_eq!(plain(b"\xff\xfea\0b\0"), D::Utf16);
        assert_eq!(plain(b"a\0b\0c\0d\0e\0f\0"), D::Utf16);
        assert_eq!(plain(b"caf\xe9 au lait, monsieur"), D::Text);
    }

    #[test]
    fn the_expected_format_decides_between_texts() {
        use ArtifactFormat as A;
        assert_eq!(asked("email\na@b.c\n", A::Csv), (D::Csv, Agreement::Yes));
        assert_eq!(asked("a,b\n1,2,3\n", A::Csv), (D::Csv, Agreement::Yes));
        assert_eq!(asked("id, first name\n1, x\n", A::Csv), (D::Csv, Agreement::Yes));
        assert_eq!(asked(",a,b\n0,1,2\n", A::Csv), (D::Csv, Agreement::Yes));
        assert_eq!(asked("# Report\n", A::Txt), (D::Text, Agreement::Yes));
        assert_eq!(asked("Plain words.\n", A::Md), (D::Markdown, Agreement::Yes));
        assert_eq!(asked("{\"a\": 1}", A::Yaml), (D::Yaml, Agreement::Yes));
        assert_eq!(asked("{\"a\": 1", A::Json), (D::Json, Agreement::Yes));
        assert_eq!(asked("42", A::Json), (D::Json, Agreement::Yes));
        assert_eq!(asked("<section>x</section>", A::Html), (D::Html, Agreement::Yes));
    }

    #[test]
    fn one_column_is_a_table_where_one_is_expected_and_text_alone() {
        use ArtifactFormat as A;
        for text in [
            "x\n1\n2\n",
            "x\n1\n2",
            "x\r\n1\r\n2\r\n",
            "\u{feff}x\n1\n2\n",
            "x\n\n1\n\n",
            "x\n",
            "x",
            "1\n2\n3\n",
            "note\nA sentence without a comma.\nAnd another one\n",
            "note\n\"one,\ntwo\"\n\"a\tb\"\n",
            "\"x\"\n\"\"\n\"1\"\n",
            "\"two\nlines\"\n1\n",
        ] {
            assert_eq!(asked(text, A::Csv), (D::Csv, Agreement::Yes), "{text:?}");
            assert_eq!(asked(text, A::Tsv), (D::Tsv, Agreement::Yes), "{text:?}");
            assert_eq!(plain(text), D::Text, "{text:?}");
        }
        for text in ["\n\n", "\u{feff}", "\u{feff}\n"] {
            assert_eq!(asked(text, A::Csv).1, Agreement::No, "{text:?}");
        }
        assert_eq!(asked("", A::Csv), (D::Empty, Agreement::No));
        assert_eq!(asked("x\n1,2\n", A::Csv), (D::Text, Agreement::No));
    }

    #[test]
    fn the_expected_format_is_not_accepted_against_evidence() {
        use ArtifactFormat as A;
        assert_eq!(
            asked("I could not make the table, since the source was empty.\n", A::Csv),
            (D::Text, Agreement::No)
        );
        assert_eq!(asked("{\"a\": 1}", A::Csv), (D::Json, Agreement::No));
        assert_eq!(asked("<!doctype html><p>no", A::Md), (D::Html, Agreement::No));
        assert_eq!(asked("I am sorry, I cannot do that.", A::Yaml), (D::Text, Agreement::No));
        assert_eq!(asked("Not found", A::Html), (D::Text, Agreement::No));
        assert_eq!(asked("true story", A::Json), (D::Text, Agreement::No));
        assert_eq!(asked("{\"a\":1}\n{\"a\":2}\n", A::Json), (D::JsonLines, Agreement::No));
        assert_eq!(asked("%PDF-1.7", A::Txt), (D::Pdf, Agreement::No));
        assert_eq!(asked("a,b\n1,2\n", A::Parquet), (D::Csv, Agreement::No));
    }
}
