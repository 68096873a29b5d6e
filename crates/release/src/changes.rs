//! What a candidate changes in the packs that recordings were made with, whether a recorded request reaches it or not.

use crate::release::Release;
use crate::unproven;
use deed_context::{PackMaterial, UnprovenChange};
use deed_diag::{Diagnostic, Report, codes};
use deed_model::{BundleInputs, RegressionMetric};
use deed_pack::{Bundle, diff};
use serde_json::Value;

/// Compares a candidate with the packs of recordings, by the function that the checklist uses.
#[derive(Debug)]
pub struct RecordedPacks<'c> {
    candidate: &'c Bundle,
    material: &'c PackMaterial,
    compared: Vec<PackMaterial>,
    found: Vec<UnprovenChange>,
}

impl<'c> RecordedPacks<'c> {
    /// Creates a comparison without recordings. `material` is the candidate with the overlays that are applied.
    pub fn new(candidate: &'c Bundle, material: &'c PackMaterial) -> Self {
        Self { candidate, material, compared: Vec::new(), found: Vec::new() }
    }

    /// Adds the pack of a recording. One that was added before, and another pack, change nothing.
    ///
    /// # Errors
    /// The two cannot be compared.
    pub fn add(&mut self, recorded: &BundleInputs) -> Result<(), Report> {
        let base = PackMaterial::recorded(recorded);
        let known = |own: &PackMaterial| {
            (&own.pack, &own.overlays, &own.selected) == (&base.pack, &base.overlays, &base.selected)
        };
        if pack_id(&base) != pack_id(self.material) || self.compared.iter().any(known) {
            return Ok(());
        }
        let documents = base.bundle()?;
        let selected = self.material.in_place_of(recorded).0.selected;
        let release = Release::of((self.candidate, &selected), Some((&documents, &base.selected)));
        let compared = diff(&documents, self.candidate, &[])?;
        let reference = compared.before.to_string();
        let mut push = |metric: RegressionMetric, _: Value, diagnostic: Diagnostic| {
            let Diagnostic { code, message, place, .. } = diagnostic;
            let pointer = place.and_then(|place| place.pointer);
            let code = code.to_string();
            let change = UnprovenChange { base: reference.clone(), code, metric, pointer, what: message };
            if !self.found.contains(&change) {
                self.found.push(change);
            }
            Ok(())
        };
        if let Some(release) = &release {
            unproven::check(release, Some(&compared), &mut push).map_err(|error| {
                let diagnostic = Diagnostic::error(codes::NO_CANONICAL_FORM, error.to_string()).stage("release");
                Report::of(diagnostic.at(self.candidate.document.place("")))
            })?;
        }
        self.compared.push(base);
        Ok(())
    }

    /// Returns the changes that are not proven to tighten.
    pub fn finish(self) -> Vec<UnprovenChange> {
        self.found
    }
}

fn pack_id(material: &PackMaterial) -> Option<&Value> {
    material.pack.pointer("/pack_meta/pack_id")
}
