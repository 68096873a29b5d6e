//! Text, Markdown, YAML and HTML.

use crate::common::{document, failure, look};
use deed_model::{
    Agreement, ArtifactFormat, ContentSummary, DetectedFormat, HtmlSummary, Inspection, LineEnding, ParseOutcome,
    TextEncoding, TextSummary, ValueType,
};

const MD: Option<ArtifactFormat> = Some(ArtifactFormat::Md);
const TXT: Option<ArtifactFormat> = Some(ArtifactFormat::Txt);
const YAML: Option<ArtifactFormat> = Some(ArtifactFormat::Yaml);
const HTML: Option<ArtifactFormat> = Some(ArtifactFormat::Html);

fn text(found: &Inspection) -> &TextSummary {
    match &found.summary {
        ContentSummary::Text(text) => text,
        other => panic!("{other:?}"),
    }
}

fn html(found: &Inspection) -> &HtmlSummary {
    match &found.summary {
        ContentSummary::Html(html) => html,
        other => panic!("{other:?}"),
    }
}

#[test]
fn lines_headings_and_ends_are_counted() {
    let found = look("# One\r\n\r\nText\r\n====\r\n```\r\n# no heading\r\n```\r\n## Two\r\nlast", MD);
    let expected = TextSummary {
        lines: 9,
        blank_lines: 1,
        headings: 3,
        encoding: TextEncoding::Utf8,
        line_ending: LineEnding::Crlf,
    };
    assert_eq!((text(&found), &found.parse), (&expected, &ParseOutcome::Parses));
    assert_eq!(text(&look("a\nb\r\nc", TXT)).line_ending, LineEnding::Mixed);
    assert_eq!(text(&look("a\rb\r", TXT)).line_ending, LineEnding::Cr);
    assert_eq!(text(&look("\u{feff}a\n", TXT)).encoding, TextEncoding::Utf8Mark);
    let latin = look(b"first line of ascii\ncaf\xe9\n", TXT);
    assert_eq!((failure(&latin).0, failure(&latin).2), (Some(2), Some(23)));
    assert_eq!(text(&latin).encoding, TextEncoding::NotUtf8);
}

#[test]
fn utf16_is_named() {
    let bytes: Vec<u8> = "\u{feff}hello".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let found = look(&bytes, TXT);
    assert_eq!((found.detected, found.agrees), (DetectedFormat::Utf16, Agreement::No));
    assert_eq!(text(&found).encoding, TextEncoding::Utf16BigEndian);
}

#[test]
fn a_long_line_is_one_line() {
    let found = look(format!("{}\nTBD\n", "é".repeat(1 << 20)), TXT);
    assert_eq!((text(&found).lines, &found.parse), (2, &ParseOutcome::Parses));
    assert_eq!(found.sentinels.findings[0].place.line, Some(2));
}

#[test]
fn reports_may_speak_of_work_and_not_be_unfinished() {
    let fine = look("# Todo service\n\nThe todo list has a placeholder attribute.\nSee [TODO](x) for more.\n", MD);
    assert_eq!(fine.sentinels.certain, 0, "{:?}", fine.sentinels);
    let unfinished =
        look("# Report\n\n## Summary\n\n**TBD**\n\n| a | b |\n|---|---|\n| 1 | TODO |\n\n- {FILL|string}\n", MD);
    assert_eq!(unfinished.sentinels.certain, 3, "{:?}", unfinished.sentinels);
    assert_eq!(unfinished.sentinels.findings[0].place.line, Some(5));
    let code = look("# Report\n\n```\n// TODO\n{FILL|string}\n```\n", MD);
    assert_eq!((code.sentinels.certain, code.sentinels.suspect), (0, 2), "{:?}", code.sentinels);
}

#[test]
fn yaml_shows_its_keys() {
    let found = look("name: x\nsize: 3\nwhen: 2024-01-01\nlist:\n  - a\n  - b: '{FILL|string}'\nnone:\n", YAML);
    assert_eq!(
        (found.detected, found.agrees, &found.parse),
        (DetectedFormat::Yaml, Agreement::Yes, &ParseOutcome::Parses)
    );
    let of: Vec<_> = document(&found).keys.values().copied().collect();
    assert_eq!(of, [ValueType::Array, ValueType::Text, ValueType::Null, ValueType::Integer, ValueType::Date]);
    assert_eq!((found.sentinels.certain, found.sentinels.findings[0].place.line), (1, Some(6)));
    assert_eq!(found.sentinels.findings[0].place.field.as_deref(), Some("list"));
    assert_eq!(look("{\"a\": [1]}", YAML).agrees, Agreement::Yes);
}

#[test]
fn yaml_that_does_not_parse_has_a_place() {
    assert_eq!(failure(&look("a: 1\na: 2\n", YAML)).3, "the key `a` stands twice in one mapping");
    assert_eq!(failure(&look("a: &x 1\nb: *x\n", YAML)).3, "an anchor, which is not read");
    assert_eq!(failure(&look("a: 1\n---\nb: 2\n", YAML)).3, "a second document in one file");
    assert_eq!(failure(&look("a: [1, 2\nb: 3\n", YAML)).0, Some(2));
    assert_eq!(failure(&look(format!("a: {}", "[".repeat(100_000)), YAML)).0, Some(1));
    let refusal = look("I am sorry, I cannot do that.", YAML);
    assert_eq!(refusal.agrees, Agreement::No);
    let large = look(format!("a: 1\n{}", "b: 1 # x\n".repeat(1 << 20)), YAML);
    assert!(matches!(large.parse, ParseOutcome::NotChecked { .. }));
}

#[test]
fn pages_are_summed_up() {
    let page = "<!DOCTYPE html>\n<html lang=en><head><title>A &amp; B</title><meta charset=utf-8></head>\n<body>\n<h1>x</h1>\
        <ul><li>one<li>two</ul><p>a<p>b<table><tr><td>1<td>2<tr><td>3</table><br><img src=\"a>b.png\">\
        <script>if (a < b) { document.write('</div>'); }</script></body></html>";
    let found = look(page, HTML);
    assert_eq!((found.detected, &found.parse), (DetectedFormat::Html, &ParseOutcome::Parses));
    let summary = html(&found);
    assert_eq!(summary.title.as_deref(), Some("A & B"));
    assert_eq!(summary.parts, ["doctype", "html", "head", "body"]);
    assert_eq!((summary.headings, summary.unclosed, summary.stray_ends), (1, 0, 0));
}

#[test]
fn tags_without_a_partner_are_found() {
    let found = look("<!doctype html><html><body>\n<div><b>x</div>\n</body></html>", HTML);
    assert_eq!(failure(&found).3, "`<b>` is not closed before this");
    assert_eq!((failure(&found).0, html(&found).unclosed), (Some(2), 1));
    assert_eq!(failure(&look("<p>x</p></div>", HTML)).3, "`</div>` has no start tag");
    assert_eq!(failure(&look("<ul><li>a<li>b</li></li></ul>", HTML)).3, "`</li>` has no start tag");
    assert_eq!(failure(&look("<div>x", HTML)).3, "`<div>` is not closed before this");
    assert_eq!(failure(&look("<div><!-- x </div>", HTML)).3, "a comment or declaration is opened and never closed");
    assert_eq!(failure(&look("<div class=\"x</div>", HTML)).3, "a tag is opened and never closed");
    assert_eq!(failure(&look("<div>".repeat(100_000), HTML)).3, "more than 512 elements within each other");
}

#[test]
fn placeholders_in_pages_are_found() {
    let page = "<!doctype html><html><body><p>Dear &lt;insert name&gt;,</p>\n<p><b>TBD</b></p>\
        <input placeholder=\"placeholder\"><a href=\"REPLACE_ME\">x</a><!-- TODO --><insert name></insert></body></html>";
    let found = look(page, HTML);
    assert_eq!((found.sentinels.certain, found.sentinels.suspect), (4, 1), "{:?}", found.sentinels);
}
