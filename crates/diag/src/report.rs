//! Diagnostics together with their sources.

use crate::conceal::Concealer;
use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::source::Source;
use serde_json::{Value, json};

/// A list of diagnostics and the sources needed to show them.
#[derive(Debug, Clone, Default)]
pub struct Report {
    sources: Vec<Source>,
    diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// Creates a report of one diagnostic.
    pub fn of(diagnostic: Diagnostic) -> Self {
        Self { sources: Vec::new(), diagnostics: vec![diagnostic] }
    }

    /// Adds a source, unless there is one with that name.
    pub fn add_source(&mut self, source: Source) {
        if self.source(source.name()).is_none() {
            self.sources.push(source);
        }
    }

    /// Adds a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Appends another report.
    pub fn merge(&mut self, other: Report) {
        other.sources.into_iter().for_each(|s| self.add_source(s));
        self.diagnostics.extend(other.diagnostics);
    }

    /// Returns the same report with each diagnostic mapped.
    #[must_use]
    pub fn map(mut self, change: impl FnMut(Diagnostic) -> Diagnostic) -> Self {
        self.diagnostics = self.diagnostics.into_iter().map(change).collect();
        self
    }

    /// Iterates over the diagnostics in order.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the source with that name.
    pub fn source(&self, name: &str) -> Option<&Source> {
        self.sources.iter().find(|s| s.name() == name)
    }

    /// Counts the diagnostics of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == severity).count()
    }

    /// Returns true if there is an error.
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// Collects the secrets of the sources.
    pub(crate) fn concealer(&self) -> Concealer {
        Concealer::of(self.sources.iter().flat_map(Source::secrets))
    }

    /// Returns the diagnostics as JSON values.
    pub fn to_json(&self) -> Value {
        let concealer = self.concealer();
        Value::Array(self.diagnostics.iter().map(|d| self.diagnostic_json(d, &concealer)).collect())
    }

    fn diagnostic_json(&self, d: &Diagnostic, concealer: &Concealer) -> Value {
        json!({
            "code": d.code,
            "severity": d.severity,
            "stage": d.stage,
            "message": concealer.scrub_message(&d.message),
            "help": d.help.as_deref().map(|h| concealer.scrub_message(h)),
            "location": d.place.as_ref().map(|p| self.place_json(p, concealer)),
            "related": d.related.iter().map(|r| json!({
                "message": concealer.scrub_message(&r.message),
                "location": self.place_json(&r.place, concealer),
            })).collect::<Vec<_>>(),
        })
    }

    fn place_json(&self, place: &Place, concealer: &Concealer) -> Value {
        let at = place.span.and_then(|span| {
            let source = self.source(&place.source)?;
            Some((span, source.line_column(span.start), source.line_column(span.end)))
        });
        json!({
            "file": concealer.scrub(&place.source),
            "pointer": place.pointer.as_deref().map(|p| concealer.scrub(p)),
            "start": at.map(|(span, start, _)| json!({ "byte": span.start, "line": start.line, "column": start.column })),
            "end": at.map(|(span, _, end)| json!({ "byte": span.end, "line": end.line, "column": end.column })),
        })
    }
}
