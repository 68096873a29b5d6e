//! Rendering of a report for people: with the source underlined, or one line each.

use crate::conceal::Concealer;
use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::report::Report;
use crate::source::{LineColumn, Source};
use crate::suggest::visible;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use deed_canon::Span;

/// The style of a rendered report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// With the source underlined, in colour.
    Colour,
    /// With the source underlined, without colour.
    Plain,
    /// One line per diagnostic: `file:line:column: severity[code] message`.
    Lines,
}

const CONTEXT_LINES: usize = 1;

impl Report {
    /// Renders the report as text, each diagnostic ended by a newline.
    pub fn render(&self, style: Style) -> String {
        let concealer = self.concealer();
        self.diagnostics().iter().map(|d| self.render_one(d, style, &concealer) + "\n").collect()
    }

    fn render_one(&self, diagnostic: &Diagnostic, style: Style, concealer: &Concealer) -> String {
        let renderer = match style {
            Style::Lines => return self.line(diagnostic, concealer),
            Style::Colour => Renderer::styled().decor_style(DecorStyle::Ascii),
            Style::Plain => Renderer::plain(),
        };
        let message = said(concealer, &diagnostic.message);
        let title = level(diagnostic.severity).primary_title(message).id(diagnostic.code.as_str());
        let mut group = Group::with_title(title);
        let primary = diagnostic.place.as_ref();
        for (place, windows) in self.windows(diagnostic, concealer) {
            match windows {
                Some(Window { text, line, annotations, cut_at: None }) => {
                    group = group.element(
                        Snippet::source(text)
                            .path(shown(concealer, &place.source))
                            .line_start(line)
                            .annotations(annotations),
                    );
                }
                Some(Window { text, annotations, cut_at: Some(at), .. }) => {
                    let origin = Origin::path(shown(concealer, &place.source)).line(at.line).char_column(at.column);
                    group = group
                        .element(origin)
                        .element(Snippet::source(text).line_start(at.line).annotations(annotations));
                }
                None => group = group.element(Origin::path(shown(concealer, &place.source))),
            }
        }
        if let Some(pointer) = primary.filter(|p| p.span.is_none()).and_then(|p| p.pointer.as_ref()) {
            group = group.element(Level::NOTE.message(shown(concealer, &format!("at {pointer}"))));
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(said(concealer, help)));
        }
        let rendered = renderer.render(&[group]) + "\n";
        // Without a place there is no source that the bar beside it could lead to.
        if primary.is_none() && diagnostic.related.is_empty() { without_bars(&rendered) } else { rendered }
    }

    /// The parts of the sources to show: primary and related places that are close to each other share one.
    fn windows<'a>(&'a self, diagnostic: &'a Diagnostic, concealer: &Concealer) -> Vec<(&'a Place, Option<Window>)> {
        let mut places: Vec<(&Place, AnnotationKind, Option<String>)> = Vec::new();
        if let Some(place) = &diagnostic.place {
            places.push((place, AnnotationKind::Primary, None));
        }
        for related in &diagnostic.related {
            places.push((&related.place, AnnotationKind::Context, Some(said(concealer, &related.message))));
        }
        let mut out: Vec<(&Place, Option<Window>)> = Vec::new();
        for (place, kind, label) in places {
            let located = place.span.and_then(|span| self.source(&place.source).map(|s| (s, span)));
            let window = located.map(|(source, span)| window(source, span, kind, label));
            out.push((place, window));
        }
        out
    }

    fn line(&self, d: &Diagnostic, concealer: &Concealer) -> String {
        let place = d.place.as_ref().map_or(String::new(), |p| {
            let at = p.span.and_then(|s| self.source(&p.source).map(|src| src.line_column(s.start)));
            let source = shown(concealer, &p.source);
            match at {
                Some(at) => format!("{source}:{}:{}: ", at.line, at.column),
                None => format!("{source}: "),
            }
        });
        let help = d.help.as_ref().map_or(String::new(), |h| format!(" (help: {})", said(concealer, h)));
        format!("{place}{}[{}] {}{help}", d.severity, d.code, said(concealer, &d.message))
    }
}

/// Returns a text without the lines that only have the bar of a margin.
fn without_bars(text: &str) -> String {
    let is_bar = |line: &str| {
        // Colours are escapes that end with `m`.
        let mut escapes = line.split('\u{1b}');
        let first = escapes.next().unwrap_or_default();
        let rest = escapes.map(|escape| escape.split_once('m').map_or("", |(_, shown)| shown));
        std::iter::once(first).chain(rest).collect::<String>().trim() == "|"
    };
    text.split_inclusive('\n').filter(|line| !is_bar(line)).collect()
}

/// Returns a message without secrets, and without characters that move a terminal's cursor or change the text direction.
fn said(concealer: &Concealer, message: &str) -> String {
    on_terminal(&concealer.scrub_message(message))
}

/// The same for a text that is user input throughout, such as a path.
fn shown(concealer: &Concealer, text: &str) -> String {
    on_terminal(&concealer.scrub(text))
}

fn on_terminal(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { c } else { visible(c) }).collect()
}

/// The part of a source that is shown around a place.
struct Window {
    text: String,
    line: usize,
    annotations: Vec<Annotation<'static>>,
    /// The true place, if the line was too long to be shown from its start.
    cut_at: Option<LineColumn>,
}

fn window(source: &Source, span: Span, kind: AnnotationKind, label: Option<String>) -> Window {
    let excerpt = source.excerpt(span, CONTEXT_LINES);
    let from = span.start.saturating_sub(excerpt.start).min(excerpt.text.len());
    let to = span.end.saturating_sub(excerpt.start).clamp(from, excerpt.text.len());
    let annotation = kind.span(from..to);
    let annotation = match label {
        Some(label) => annotation.label(label),
        None => annotation,
    };
    let cut_at = excerpt.cut.then(|| source.line_column(span.start));
    Window { text: excerpt.text, line: excerpt.line, annotations: vec![annotation], cut_at }
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    }
}
