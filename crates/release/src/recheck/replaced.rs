//! A pack with a changed document in it, so that the validation gates judge the two together.

use deed_canon::to_canonical;
use deed_context::{Hydrations, PackMaterial, WhatIf};
use deed_diag::{Diagnostic, Document, Format, Invariant as _, Place, Report, codes};
use deed_pack::{Bundle, Diff, LintReport};
use serde_json::Value;
use std::time::Duration;

use crate::regressions::{Regression, regressions};
use crate::release::Release;
use crate::trial::Trial;

/// A pack with a part replaced by another document.
pub(super) struct Replaced {
    pub(super) bundle: Bundle,
    /// The pack as it is, for places.
    original: Document,
    /// The part, by JSON Pointer, and the document that it comes from.
    part: String,
    changed: Option<Document>,
}

impl Replaced {
    /// Replaces a part of a pack. `changed` is the document of the part, if the part is a document as it stands.
    pub(super) fn new(bundle: &Bundle, part: &str, value: Value, changed: Option<&Document>) -> Result<Self, Report> {
        let mut pack = bundle.document.value().clone();
        // A pack that stays as it is would fit every document.
        *pack.pointer_mut(part).invariant("a typed pack has the part that is replaced") = value;
        let failed = |error: deed_canon::CanonError| {
            let message = format!("the pack with the changed document has no canonical form: {error}");
            Report::of(Diagnostic::error(codes::NO_CANONICAL_FORM, message).stage("recheck"))
        };
        let bytes = to_canonical(&pack).map_err(failed)?;
        let document = Document::read(bundle.document.source().name(), &bytes, Format::Json)?;
        let replaced = Bundle::new(document, bundle.overlays.clone(), bundle.golden.clone());
        let (original, part) = (bundle.document.clone(), part.to_owned());
        Ok(Self { bundle: replaced, original, part, changed: changed.cloned() })
    }

    /// Returns the findings of the gates that were not there before, at their places in the files as they are.
    pub(super) fn findings(&self, before: &LintReport, after: &LintReport) -> Vec<Diagnostic> {
        let same = |a: &Diagnostic, b: &Diagnostic| {
            let pointer = |d: &Diagnostic| d.place.as_ref().and_then(|p| p.pointer.clone());
            a.code == b.code && a.message == b.message && pointer(a) == pointer(b)
        };
        let old = before.report.diagnostics();
        let new = after.report.diagnostics().iter().filter(|d| !old.iter().any(|known| same(known, d)));
        // The hash covers the document of the pack, so it moves with it.
        let moved = |d: &&Diagnostic| {
            let pointer = d.place.as_ref().and_then(|p| p.pointer.as_deref());
            pointer == Some("/expect/compiled_context_hash")
        };
        new.filter(|d| !moved(d)).map(|d| self.placed(d.clone())).collect()
    }

    /// Moves the places of a finding from the pack with the part to the files.
    fn placed(&self, mut found: Diagnostic) -> Diagnostic {
        found.place = found.place.map(|place| self.place(place));
        found.related.iter_mut().for_each(|related| related.place = self.place(related.place.clone()));
        found
    }

    fn place(&self, place: Place) -> Place {
        let Some(pointer) = place.pointer.as_deref().filter(|_| place.source == self.original.source().name()) else {
            return place;
        };
        match (pointer.strip_prefix(&self.part), &self.changed) {
            (Some(rest), Some(changed)) if rest.is_empty() || rest.starts_with('/') => changed.place(rest),
            _ => self.original.place(pointer),
        }
    }

    /// Returns the regressions against the pack as it is, as findings at the changed document: those of golden requests, and
    /// with the differences of the two the changes that are not proven to tighten.
    pub(super) fn regressions(
        &self,
        bundle: &Bundle,
        compared: Option<&Diff>,
        cache: &Hydrations,
    ) -> Result<(Vec<Diagnostic>, WhatIf), Report> {
        let Some(release) = Release::of((&self.bundle, &[]), Some((bundle, &[]))) else {
            // The schema gate says why it is not a pack.
            let material = PackMaterial::of_bundle(bundle, &[]);
            return Ok((Vec::new(), deed_context::whatif(&[], &material, cache)?));
        };
        let stopped = || Duration::ZERO;
        let mut trial = Trial::new(&release, cache, &stopped);
        let golden = trial.golden()?;
        let result = trial.finish(golden);
        let failed = |error: deed_canon::CanonError| {
            Report::of(Diagnostic::error(codes::NO_CANONICAL_FORM, error.to_string()).stage("recheck"))
        };
        let found = regressions(&release, &result, compared).map_err(failed)?;
        let place = self.changed.as_ref().map_or_else(|| self.original.place(&self.part), |changed| changed.place(""));
        let at = |Regression { diagnostic, .. }: Regression| match diagnostic.place.clone().map(|own| self.place(own)) {
            Some(own) if self.changed.as_ref().is_some_and(|changed| own.source == changed.source().name()) => {
                diagnostic.at(own)
            }
            Some(_) | None => diagnostic.at(place.clone()),
        };
        Ok((found.into_iter().map(at).collect(), result.what_if))
    }
}
