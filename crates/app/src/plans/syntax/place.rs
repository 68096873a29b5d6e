//! Places in code: in the file beside the plan, or in the plan itself.

use deed_canon::Span;
use deed_diag::{Document, Place, Report, Source};
use deed_plan::Sources;
use serde_json::Value;

/// The position of a step in the plan.
pub(super) fn step_index(document: &Document, step: &str) -> Option<usize> {
    let steps = document.value().get("steps")?.as_array()?;
    steps.iter().position(|known| known.get("id").and_then(Value::as_str) == Some(step))
}

/// The line as a part of a message.
pub(super) fn line_words(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line} of its code"))
}

/// The place of a line of a step's code. A file beside the plan becomes a source of the report. For a step that is not in
/// the document under its id it is the whole plan, so that no finding is lost.
pub(super) fn of(
    report: &mut Report,
    document: &Document,
    sources: &Sources,
    (step, text): (&str, &str),
    line: Option<usize>,
) -> Place {
    let Some(index) = step_index(document, step) else { return document.place("") };
    let file = document.value().pointer(&format!("/steps/{index}/code/file")).and_then(Value::as_str);
    match file.filter(|file| matches!(sources.get(*file), Some(Ok(_)))) {
        Some(file) => {
            report.add_source(Source::new(file, text));
            let span = line.and_then(|line| line_span(text, line));
            span.map_or_else(|| Place::file(file), |span| Place::span(file, span))
        }
        None => within(document, index, text, line),
    }
}

/// Returns the line of the plan on which the code of a step begins, where every line of the code is a line of the plan.
pub(in crate::plans) fn first_line(document: &Document, step: &str, code: &str) -> Option<usize> {
    let pointer = format!("/steps/{}/code/source", step_index(document, step)?);
    let (node, _) = document.tree().nearest(&pointer);
    let text = document.source().text();
    let written = text.get(node.span.start..node.span.end).filter(|text| text.contains('\n'))?;
    let lines = || code.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(|(number, _)| number + 1);
    let (first, last) = (lines().next()?, lines().last()?);
    let at = |line| {
        let span = authored(written, code, line)?;
        Some(text.get(..node.span.start + span.start)?.matches('\n').count() + 1)
    };
    let (begin, end) = (at(first)?, at(last)?);
    // Folded and flow texts join lines, and cannot be counted.
    if end.checked_sub(begin)? != last - first {
        return None;
    }
    (begin + 1).checked_sub(first).filter(|line| *line > 0)
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

/// The place of a line of code that stands in the plan: the line that its author wrote where the two can be paired, the
/// code as a whole otherwise.
fn within(document: &Document, index: usize, code: &str, line: Option<usize>) -> Place {
    let pointer = format!("/steps/{index}/code/source");
    let whole = document.place(&pointer);
    let (node, _) = document.tree().nearest(&pointer);
    let written = document.source().text().get(node.span.start..node.span.end).filter(|text| text.contains('\n'));
    let span = line.zip(written).and_then(|(line, written)| authored(written, code, line));
    match span {
        Some(span) => {
            Place { span: Some(Span::new(node.span.start + span.start, node.span.start + span.end)), ..whole }
        }
        None => whole,
    }
}

/// The first written line that is a part of a line of the code. Blocks, folded blocks and flow texts keep the words of
/// their lines in order, with only white space between them; a text with escapes is not paired.
fn authored(written: &str, code: &str, line: usize) -> Option<Span> {
    let mut start = 0;
    let mut used = 0;
    for (number, whole) in written.split_inclusive('\n').enumerate() {
        let (begin, words) = words(whole, number == 0);
        let at = start + begin;
        start += whole.len();
        let left = code.get(used..)?;
        let gap = left.len() - left.trim_start().len();
        let Some(rest) = left.get(gap..)?.strip_prefix(words).filter(|_| !words.is_empty()) else { continue };
        let reached = used + gap;
        used = code.len() - rest.len();
        if code.get(..reached)?.matches('\n').count() + 1 == line {
            return Some(Span::new(at, at + words.len()));
        }
    }
    None
}

/// The code on a written line, and where it begins: without indentation, and without the marks of a flow text.
fn words(line: &str, first: bool) -> (usize, &str) {
    let marks: &[char] = if first { &[' ', '\t', '"', '\''] } else { &[' ', '\t'] };
    let rest = line.trim_start_matches(marks);
    (line.len() - rest.len(), rest.trim_end().trim_end_matches(['"', '\'']))
}
