//! The sink that every stage reports to. It knows where a finding stands and which stage speaks; no stage reads from it
//! what another one found, apart from whether anything was refused.

use super::cx::{Cx, StepIndex};
use deed_canon::Pointer;
use deed_diag::{Code, Diagnostic, Document, Invariant as _, Place, Severity, quote};
use deed_model::Plan;

/// Comparisons of names that may be spent on suggestions, so that a plan full of wrong names is refused in seconds.
const MAX_COMPARISONS: usize = 2_000_000;

/// Everything found so far.
pub(super) struct Findings<'l> {
    document: &'l Document,
    plan: &'l Plan,
    stage: &'static str,
    found: Vec<Diagnostic>,
    comparisons: usize,
}

/// A place in the plan: a pointer into the document, and the step that it is part of.
#[derive(Debug, Clone)]
pub(super) struct At {
    step: Option<StepIndex>,
    pointer: String,
}

impl At {
    /// A place of the plan that is part of no step.
    pub(super) fn plan(pointer: impl Into<String>) -> Self {
        Self { step: None, pointer: pointer.into() }
    }

    /// A whole step.
    pub(super) fn step(step: StepIndex) -> Self {
        Self { step: Some(step), pointer: format!("/steps/{}", step.position()) }
    }

    pub(super) fn key(&self, key: &str) -> Self {
        Self { step: self.step, pointer: Pointer::push(&self.pointer, key) }
    }

    pub(super) fn item(&self, position: usize) -> Self {
        Self { step: self.step, pointer: format!("{}/{position}", self.pointer) }
    }
}

/// One finding, before it becomes a diagnostic. Boxed, since stages return it as an error.
pub(super) struct Finding(Box<Parts>);

struct Parts {
    at: At,
    severity: Severity,
    code: Code,
    message: String,
    help: Option<String>,
    related: Vec<(At, String)>,
}

impl Finding {
    pub(super) fn error(at: At, code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, at, code, message.into())
    }

    pub(super) fn warning(at: At, code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, at, code, message.into())
    }

    pub(super) fn info(at: At, code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Info, at, code, message.into())
    }

    fn new(severity: Severity, at: At, code: Code, message: String) -> Self {
        Self(Box::new(Parts { at, severity, code, message, help: None, related: Vec::new() }))
    }

    pub(super) fn help(self, help: impl Into<String>) -> Self {
        self.help_opt(Some(help.into()))
    }

    pub(super) fn help_opt(mut self, help: Option<String>) -> Self {
        self.0.help = help;
        self
    }

    /// Adds another place that belongs to the finding.
    pub(super) fn related(mut self, at: &At, message: impl Into<String>) -> Self {
        self.0.related.push((at.clone(), message.into()));
        self
    }
}

impl<'l> Findings<'l> {
    /// A sink that already holds what reading the plan found.
    pub(super) fn new(cx: Cx<'l>, found: Vec<Diagnostic>) -> Self {
        Self { document: cx.document, plan: cx.plan, stage: "candidate", found, comparisons: MAX_COMPARISONS }
    }

    /// The sink for a stage: what is added from now on carries its name.
    pub(super) fn stage(&mut self, name: &'static str) -> &mut Self {
        self.stage = name;
        self
    }

    /// Adds a finding. The message about a step begins with its name, and the words that it came from are shown.
    pub(super) fn add(&mut self, Finding(finding): Finding) {
        let step = finding
            .at
            .step
            .map(|step| self.plan.steps.get(step.position()).invariant("a step index is one of the plan's"));
        let message = match step {
            Some(step) => format!("step {}: {}", quote(&step.id), finding.message),
            None => finding.message,
        };
        let words = step.and_then(|step| self.objective_words(step.objective_words.as_deref()?));
        let mut diagnostic = Diagnostic::new(finding.severity, finding.code, message)
            .stage(self.stage)
            .at(self.place(&finding.at.pointer))
            .help_opt(finding.help);
        for (at, message) in finding.related {
            diagnostic = diagnostic.related(self.place(&at.pointer), message);
        }
        if let Some(place) = words {
            diagnostic = diagnostic.related(place, "for these words of the objective");
        }
        self.found.push(diagnostic);
    }

    /// The number of findings so far: a part that added none is sound.
    pub(super) fn count(&self) -> usize {
        self.found.len()
    }

    /// Returns whether anything was refused.
    pub(super) fn is_refused(&self) -> bool {
        self.found.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// Spends comparisons with this many names; false if too few are left.
    pub(super) fn may_compare(&mut self, names: usize) -> bool {
        let left = self.comparisons.checked_sub(names);
        self.comparisons = left.unwrap_or(self.comparisons);
        left.is_some()
    }

    /// Returns the findings in the order of the document.
    pub(super) fn into_sorted(self) -> Vec<Diagnostic> {
        let mut found = self.found;
        found.sort_by(|a, b| {
            let key = |d: &Diagnostic| (d.place.as_ref().and_then(|place| place.span), d.code, d.message.clone());
            key(a).cmp(&key(b))
        });
        found.dedup();
        found
    }

    /// The place of the longest part of a pointer that leads to something: a missing key cannot be shown.
    fn place(&self, pointer: &str) -> Place {
        let mut at = pointer;
        while self.document.value().pointer(at).is_none() {
            at = at.rsplit_once('/').map_or("", |(parent, _)| parent);
        }
        self.document.place(at)
    }

    /// The place of words in the objective. A line may break between any two of them.
    fn objective_words(&self, words: &str) -> Option<Place> {
        let whole = self.document.place("/mission/objective");
        let (node, _) = self.document.tree().nearest("/mission/objective");
        let text = self.document.source().text().get(node.span.start..node.span.end)?;
        let wanted: Vec<&str> = words.split_whitespace().collect();
        let first = wanted.first()?;
        let (start, end) = text.match_indices(first).find_map(|(start, _)| {
            let mut end = start;
            for word in &wanted {
                let rest = text.get(end..)?;
                let at = rest.len() - rest.trim_start().len();
                rest.get(at..)?.strip_prefix(word)?;
                end += at + word.len();
            }
            Some((start, end))
        })?;
        // A place is one line of the source.
        let line = text.get(start..end)?.lines().next()?.len();
        let span = deed_canon::Span::new(node.span.start + start, node.span.start + start + line);
        Some(Place { span: Some(span), ..whole })
    }
}
