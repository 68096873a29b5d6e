//! One value, three forms: underlined, one line, JSON; and nothing that is concealed in any of them.

use deed_canon::Span;
use deed_diag::{Diagnostic, Document, Format, Report, Style, codes, nearest, quote};

fn document(text: &str) -> Document {
    Document::read("d.yaml", text.as_bytes(), Format::Yaml).unwrap()
}

fn report(document: &Document, diagnostic: Diagnostic) -> Report {
    let mut report = Report::of(diagnostic);
    report.add_source(document.source().clone());
    report
}

#[test]
fn the_three_forms() {
    let d = document("meta:\n  nam: x\n  other: y\n");
    let diagnostic = Diagnostic::error(codes::UNKNOWN_KEY, "unknown key `nam`")
        .stage("schema")
        .at(d.key_place("/meta/nam"))
        .help("did you mean `name`?")
        .related(d.place("/meta/other"), "its neighbour");
    let report = report(&d, diagnostic);
    assert_eq!(
        report.render(Style::Plain),
        "error[D0203]: unknown key `nam`\n --> d.yaml:2:3\n  |\n2 |   nam: x\n  |   ^^^\n  |\n ::: d.yaml:3:10\n  |\n\
         3 |   other: y\n  |          - its neighbour\n  |\n  = help: did you mean `name`?\n\n"
    );
    assert_eq!(
        report.render(Style::Lines),
        "d.yaml:2:3: error[D0203] unknown key `nam` (help: did you mean `name`?)\n"
    );
    assert!(report.render(Style::Colour).contains("\u{1b}["));
    let json = &report.to_json()[0];
    assert_eq!(json["location"]["pointer"], "/meta/nam");
    assert_eq!(json["location"]["start"], serde_json::json!({ "byte": 8, "line": 2, "column": 3 }));
    assert_eq!(json["related"][0]["message"], "its neighbour");
}

#[test]
fn a_withheld_text_is_in_no_excerpt_and_hides_no_message() {
    let mut d = document("text: unknown key here, did you mean another?\nnam: x\n");
    d.withhold(Span::new(6, 46));
    let diagnostic = Diagnostic::error(codes::UNKNOWN_KEY, "unknown key `nam`")
        .at(d.key_place("/text"))
        .help("did you mean another?");
    let report = report(&d, diagnostic);
    let shown = report.render(Style::Plain);
    assert!(shown.contains("text: *****") && !shown.contains("key here"), "{shown}");
    assert!(shown.contains("unknown key `nam`") && shown.contains("help: did you mean another?"), "{shown}");
}

#[test]
fn what_is_concealed_is_shown_in_no_form() {
    let mut d = document("key: hunter2-hunter2\nother: \"hunter2\\u002dhunter2\"\n");
    d.conceal(Span::new(5, 20), &["hunter2-hunter2".to_owned()]);
    let diagnostic = Diagnostic::error(codes::UNKNOWN_KEY, "`hunter2-hunter2` is not allowed")
        .at(d.place("/key"))
        .help("not hunter2-hunter2")
        .related(d.place("/key"), "hunter2-hunter2 again");
    let report = report(&d, diagnostic);
    let forms = [
        report.render(Style::Plain),
        report.render(Style::Colour),
        report.render(Style::Lines),
        report.to_json().to_string(),
    ];
    for form in forms {
        assert!(!form.contains("hunter2-hunter2"), "{form}");
    }
    assert!(report.render(Style::Plain).contains("key: ***************"));
}

#[test]
fn an_endless_line_is_cut_and_its_place_stays_true() {
    let text = format!("{{\"a\": \"{}\", \"b\": 5, \"c\": \"{}\"}}", "x".repeat(9_000), "y".repeat(9_000));
    let d = Document::read("d.json", text.as_bytes(), Format::Json).unwrap();
    let shown = report(&d, Diagnostic::error(codes::UNKNOWN_KEY, "wrong").at(d.place("/b"))).render(Style::Plain);
    assert!(shown.len() < 1_000, "{shown}");
    assert!(shown.contains("d.json:1:9016"), "{shown}");
    assert!(shown.contains("\"b\": 5"), "{shown}");
}

#[test]
fn names_are_suggested_only_when_they_are_near() {
    assert_eq!(nearest("lokup", ["lookup", "issue_refund"]), Some("lookup"));
    assert_eq!(nearest("LOOKUP", ["lookup"]), Some("lookup"));
    assert_eq!(nearest("zzz", ["lookup"]), None);
    assert_eq!(nearest("lookup", ["lookup"]), None, "a name is no suggestion for itself");
    assert_eq!(quote(&"a".repeat(100)), format!("`{}…`", "a".repeat(60)));
    assert_eq!(quote("a\nb\u{1b}[31m"), "`a b [31m`");
}

/// Without a place there is no source, so that no bar leads to one.
#[test]
fn an_error_without_a_place_is_two_lines() {
    let report =
        Report::of(Diagnostic::error(codes::UNKNOWN_RUN, "there is no run `x`").help("`deed runs list` lists all"));
    assert_eq!(
        report.render(Style::Plain),
        "error[D2004]: there is no run `x`\n = help: `deed runs list` lists all\n\n"
    );
    assert_eq!(report.render(Style::Colour).lines().count(), 3);
}
