//! Checks of an artifact as a file.

use super::findings::Findings;
use super::rows;
use deed_detect::{Guard, Secrets};
use deed_model::{
    ArtifactCheck, ArtifactFormat, ContentSummary, HtmlSummary, Inspection, ParseOutcome, ReadAs, SentinelStrength,
    ValidationRule,
};
use deed_receipts::{InspectLimits, inspect};
use serde_json::Value;
use std::io::Cursor;

/// Runs the checks of a rule over the bytes as the ladder left them.
pub(super) fn run(rule: &ValidationRule, bytes: &[u8], findings: &mut Findings) {
    if rule.checks.is_empty() {
        return;
    }
    let found = match inspect(&mut Cursor::new(bytes), format(rule.read_as), &InspectLimits::default()) {
        Ok(found) => found,
        Err(error) => return findings.unreadable(rule.read_as.as_str(), format!("it cannot be inspected: {error}")),
    };
    for check in &rule.checks {
        if let Some(message) = unmet(*check, rule.read_as, bytes, &found) {
            findings.unmet(*check, message);
        }
    }
}

fn format(read_as: ReadAs) -> Option<ArtifactFormat> {
    match read_as {
        ReadAs::Json => Some(ArtifactFormat::Json),
        ReadAs::Yaml => Some(ArtifactFormat::Yaml),
        ReadAs::CsvRows => Some(ArtifactFormat::Csv),
        ReadAs::TsvRows => Some(ArtifactFormat::Tsv),
        ReadAs::Html => Some(ArtifactFormat::Html),
        ReadAs::Text => Some(ArtifactFormat::Txt),
        ReadAs::Bytes => None,
    }
}

/// Returns what is found where a check does not hold.
fn unmet(check: ArtifactCheck, read_as: ReadAs, bytes: &[u8], found: &Inspection) -> Option<String> {
    match check {
        ArtifactCheck::NotEmpty => bytes.iter().all(u8::is_ascii_whitespace).then(|| "it is empty".to_owned()),
        ArtifactCheck::Parses => unparsed(found),
        ArtifactCheck::NoCredentials => credential(bytes),
        ArtifactCheck::NoPlaceholders => placeholder(found),
        ArtifactCheck::HasRows => without_rows(read_as, bytes),
        ArtifactCheck::HtmlParts => html(found, |page| {
            let missing =
                ["doctype", "html", "head", "body"].into_iter().find(|part| !page.parts.iter().any(|p| p == part));
            missing.map(|part| format!("the page has no `{part}`"))
        }),
        ArtifactCheck::HtmlTitle => html(found, |page| {
            let is_blank = page.title.as_ref().is_none_or(|title| title.trim().is_empty());
            is_blank.then(|| "the page has no title".to_owned())
        }),
        ArtifactCheck::HtmlHeadings => {
            html(found, |page| (page.headings == 0).then(|| "the page has no heading".to_owned()))
        }
        ArtifactCheck::HtmlBalanced => html(found, |page| match (page.unclosed, page.stray_ends) {
            (0, 0) => None,
            (unclosed, stray) => Some(format!("elements without an end: {unclosed}; ends without an element: {stray}")),
        }),
    }
}

fn unparsed(found: &Inspection) -> Option<String> {
    match &found.parse {
        ParseOutcome::Parses => None,
        ParseOutcome::Fails { message, place } => {
            let line = place.line.map_or_else(String::new, |line| format!("line {line}: "));
            Some(format!("{line}{message}"))
        }
        ParseOutcome::NotChecked { reason } => Some(format!("it was not parsed: {reason}")),
    }
}

/// Names the rule that found a credential and the line, never what was found.
fn credential(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let found = Guard::new(Secrets::Sought, &[], Vec::new()).scan(&text);
    let first = found.first()?;
    let line = text.get(..first.range.start).map_or(1, |before| before.matches('\n').count() + 1);
    Some(format!("line {line} holds a credential: {}", first.title))
}

fn placeholder(found: &Inspection) -> Option<String> {
    let mut certain = found.sentinels.findings.iter().filter(|finding| finding.strength == SentinelStrength::Certain);
    match certain.next() {
        Some(first) => {
            let line = first.place.line.map_or_else(String::new, |line| format!(" in line {line}"));
            Some(format!("a placeholder is left{line} ({})", first.sentinel))
        }
        None => (found.sentinels.certain > 0).then(|| "a placeholder is left".to_owned()),
    }
}

fn without_rows(read_as: ReadAs, bytes: &[u8]) -> Option<String> {
    let is_empty = match read_as {
        ReadAs::CsvRows | ReadAs::TsvRows => rows::read(read_as, bytes).is_ok_and(|rows| rows.is_empty()),
        _ => deed_canon::parse(bytes).is_ok_and(|value| matches!(&value, Value::Array(items) if items.is_empty())),
    };
    is_empty.then(|| "it has no rows".to_owned())
}

fn html(found: &Inspection, unmet: impl FnOnce(&HtmlSummary) -> Option<String>) -> Option<String> {
    match &found.summary {
        ContentSummary::Html(page) => unmet(page),
        _ => Some("it is not HTML".to_owned()),
    }
}
