//! The syntax of the code that steps have, checked without running any of it.
//!
//! Each language is parsed by its own interpreter, in a process that sees nothing of the caller: it starts in `/` with an
//! empty environment, and the code comes by standard input. Where there is no interpreter, the code is reported as not
//! parsed.

mod javascript;
mod program;
mod python;
mod shell;

use deed_canon::Span;
use deed_diag::{Code, Diagnostic, Document, Place, Report, Source, quote};
use deed_model::StepCode;
use deed_plan::{Lowered, Sources};
use serde_json::Value;
use std::collections::BTreeMap;

const BAD_SYNTAX: Code = Code::new("D1981");
const NOT_PARSED: Code = Code::new("D1982");

/// A mistake in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mistake {
    /// The line, from one, where the interpreter names it.
    line: Option<usize>,
    message: String,
}

/// What came of parsing one text: nothing, or its first mistake.
type Parsed = Option<Mistake>;

/// Parses the code of all steps, and adds what is wrong with it to the report. A plan with such code is not compiled.
pub(super) fn check(document: &Document, sources: &Sources, lowered: &mut Lowered) {
    let mut report = Report::default();
    for (language, texts) in by_language(&lowered.code) {
        let parse = match language {
            "python" => python::parse,
            "javascript" => javascript::parse,
            "shell" => shell::parse,
            // The compiler names the languages that there are.
            _ => continue,
        };
        let all: Vec<&str> = texts.iter().map(|(_, text)| *text).collect();
        match parse(&all) {
            Ok(parsed) => {
                for ((step, text), mistake) in texts.iter().zip(parsed) {
                    if let Some(mistake) = mistake {
                        tell(&mut report, document, sources, (step, text), language, &mistake);
                    }
                }
            }
            Err(why) => {
                let steps: Vec<String> = texts.iter().map(|(step, _)| quote(step)).collect();
                let message = format!("{language} code is not parsed: {why}; steps {}", steps.join(", "));
                let at = step_index(document, texts.first().map_or("", |(step, _)| *step));
                let at = at.map_or_else(String::new, |index| format!("/steps/{index}/code"));
                let help = "install the interpreter, or expect a mistake to be found only when the step runs";
                let finding = Diagnostic::warning(NOT_PARSED, message).stage("code").at(document.place(&at));
                report.push(finding.help(help));
            }
        }
    }
    if report.has_errors() {
        lowered.compiled = None;
    }
    lowered.report.merge(report);
}

/// Steps and their code, by language.
fn by_language(code: &BTreeMap<String, StepCode>) -> BTreeMap<&str, Vec<(&str, &str)>> {
    let mut all: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (step, code) in code {
        let known =
            ["python", "javascript", "shell"].into_iter().find(|known| code.language.eq_ignore_ascii_case(known));
        // A file that could not be read is reported already, and has this in its place.
        if let Some(language) = known.filter(|_| !code.source.trim().is_empty() && code.source != "?") {
            all.entry(language).or_default().push((step, &code.source));
        }
    }
    all
}

fn step_index(document: &Document, step: &str) -> Option<usize> {
    let steps = document.value().get("steps")?.as_array()?;
    steps.iter().position(|known| known.get("id").and_then(Value::as_str) == Some(step))
}

fn tell(
    report: &mut Report,
    document: &Document,
    sources: &Sources,
    (step, text): (&str, &str),
    language: &str,
    mistake: &Mistake,
) {
    let Some(index) = step_index(document, step) else { return };
    let file = document.value().pointer(&format!("/steps/{index}/code/file")).and_then(Value::as_str);
    let line = mistake.line.map_or_else(String::new, |line| format!(", line {line} of its code"));
    let message = format!("step {}: the {language} code cannot be parsed{line}: {}", quote(step), mistake.message);
    let place = match file.filter(|file| matches!(sources.get(*file), Some(Ok(_)))) {
        Some(file) => {
            report.add_source(Source::new(file, text));
            let span = mistake.line.and_then(|line| line_span(text, line));
            span.map_or_else(|| Place::file(file), |span| Place::span(file, span))
        }
        None => within(document, index, text, mistake.line),
    };
    let finding = Diagnostic::error(BAD_SYNTAX, message).stage("code").at(place);
    report.push(finding.help("fix the line; `deed run` would find it only when the step runs"));
}

/// The span of a line of a text, from one, without what ends it.
fn line_span(text: &str, line: usize) -> Option<Span> {
    let mut start = 0;
    for (number, whole) in text.split_inclusive('\n').enumerate() {
        if number + 1 == line {
            let shown = whole.trim_end();
            let indent = shown.len() - shown.trim_start().len();
            return Some(Span::new(start + indent, start + shown.len()));
        }
        start += whole.len();
    }
    None
}

/// The place of a line of code that stands in the plan: its own line where the plan keeps lines, the code otherwise.
fn within(document: &Document, index: usize, code: &str, line: Option<usize>) -> Place {
    let pointer = format!("/steps/{index}/code/source");
    let whole = document.place(&pointer);
    let (node, _) = document.tree().nearest(&pointer);
    let shown = line.and_then(|line| {
        let wanted = code.lines().nth(line.checked_sub(1)?)?.trim();
        let text = document.source().text();
        // A block has its code line by line behind the line that opens it.
        let written = text.get(node.span.start..node.span.end)?;
        let opened = usize::from(written.starts_with(['|', '>']));
        let span = line_span(written, line + opened)?;
        let found = Span::new(node.span.start + span.start, node.span.start + span.end);
        (text.get(found.start..found.end)? == wanted && !wanted.is_empty()).then_some(found)
    });
    match shown {
        Some(span) => Place { span: Some(span), ..whole },
        None => whole,
    }
}
