//! The syntax of the code that steps have, checked without running any of it.
//!
//! Each language is parsed by its own interpreter, in a process that sees nothing of the caller: it starts in `/` with an
//! empty environment, and the code comes by standard input. Where there is no interpreter, the code is reported as not
//! parsed. JavaScript for an isolate is compiled by the isolate's own engine, in this process.

mod isolated;
mod javascript;
pub(super) mod place;
mod program;
mod python;
mod shell;

use deed_diag::{Diagnostic, Document, Report, codes, quote};
use deed_model::StepCode;
use deed_plan::{Lowered, Sources};
use std::collections::BTreeMap;

/// A mistake in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mistake {
    /// The line, from one, where the interpreter names it.
    line: Option<usize>,
    message: String,
}

/// The result of parsing one text: nothing, or its first mistake.
type Parsed = Option<Mistake>;

/// Parses the code of all steps, and adds what is wrong with it to the report. A plan with such code is not compiled.
pub(super) fn check(document: &Document, sources: &Sources, lowered: &mut Lowered) {
    let mut report = Report::default();
    isolated::check(document, sources, lowered, &mut report);
    for (language, texts) in by_language(lowered) {
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
                if language == "javascript" && parsed.iter().all(Option::is_none) {
                    check_modules(&mut report, document, sources, &texts);
                }
                for ((step, text), mistake) in texts.iter().zip(parsed) {
                    if let Some(mistake) = mistake {
                        push(&mut report, document, sources, (step, text), language, &mistake);
                    }
                }
            }
            Err(why) => {
                let steps: Vec<String> = texts.iter().map(|(step, _)| quote(step)).collect();
                let message = format!("{language} code is not parsed: {why}; steps {}", steps.join(", "));
                let at = place::step_index(document, texts.first().map_or("", |(step, _)| *step));
                let at = at.map_or_else(String::new, |index| format!("/steps/{index}/code"));
                let help = "install the interpreter, or expect a mistake to be found only when the step runs";
                let finding =
                    Diagnostic::warning(codes::CODE_NOT_PARSED, message).stage("code").at(document.place(&at));
                report.push(finding.help(help));
            }
        }
    }
    if report.has_errors() {
        lowered.compiled = None;
    }
    lowered.report.merge(report);
}

/// Reports scripts for Node that are written for CommonJS: the runtime runs them as modules.
fn check_modules(report: &mut Report, document: &Document, sources: &Sources, texts: &[(&str, &str)]) {
    let all: Vec<&str> = texts.iter().map(|(_, text)| *text).collect();
    // Where it cannot be found out, the parser has said so.
    let Ok(found) = javascript::commonjs(&all) else { return };
    for ((step, text), found) in texts.iter().zip(found) {
        let Some(Mistake { line, message: name }) = found else { continue };
        let at = place::of(report, document, sources, (step, text), line);
        let (named, words) = (quote(&name), place::line_words(line));
        let message = format!("step {}: it uses {named}{words}, and an ES module has no such name", quote(step));
        let help = match name.as_str() {
            "require" => {
                "write `import fs from \"node:fs\"`; or define it: `import { createRequire } from \"node:module\"; \
                 const require = createRequire(import.meta.url);`"
            }
            "module" | "exports" => "nothing imports the script of a step: write files under `output/` instead",
            _ => "paths are relative to the workspace, which is the working folder",
        };
        report.push(Diagnostic::error(codes::COMMONJS_IN_MODULE, message).stage("code").at(at).help(help));
    }
}

/// Steps and their code, by language, without those of an isolate.
fn by_language(lowered: &Lowered) -> BTreeMap<&'static str, Vec<(&str, &str)>> {
    let mut all: BTreeMap<&'static str, Vec<(&str, &str)>> = BTreeMap::new();
    for (step, code) in lowered.code.iter().filter(|(step, _)| !lowered.isolated.contains(*step)) {
        let known =
            ["python", "javascript", "shell"].into_iter().find(|known| code.language.eq_ignore_ascii_case(known));
        if let Some(language) = known.filter(|_| is_there(code)) {
            all.entry(language).or_default().push((step, &code.source));
        }
    }
    all
}

/// Returns whether a step has code. A file that could not be read is reported already, and has `?` in its place.
fn is_there(code: &StepCode) -> bool {
    !code.source.trim().is_empty() && code.source != "?"
}

fn push(
    report: &mut Report,
    document: &Document,
    sources: &Sources,
    (step, text): (&str, &str),
    language: &str,
    mistake: &Mistake,
) {
    let line = place::line_words(mistake.line);
    let message = format!("step {}: the {language} code cannot be parsed{line}: {}", quote(step), mistake.message);
    let at = place::of(report, document, sources, (step, text), mistake.line);
    let finding = Diagnostic::error(codes::CODE_SYNTAX_ERROR, message).stage("code").at(at);
    report.push(finding.help("fix the line; otherwise the step fails when it runs"));
}
