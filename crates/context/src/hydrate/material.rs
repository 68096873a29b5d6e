//! Packs as documents, resolved and hydrated through a cache.

use super::Hydrated;
use crate::cache::{CachedPack, HydrationKey, Hydrations};
use crate::inputs::{Run, named_tokenizer};
use crate::refusal::Refusal;
use deed_canon::{hash_of, to_canonical};
use deed_diag::{Document, Format, Report, codes};
use deed_model::{BundleInputs, CONTEXT_PACK_TAG, EnvironmentEndpoints, OVERLAY_TAG, PackSource};
use deed_pack::{Bundle, Resolved, Selection, resolve};
use jiff::Timestamp;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A pack with its overlays, as documents.
#[derive(Debug, Clone, PartialEq)]
pub struct PackMaterial {
    /// The pack as authored.
    pub pack: Value,
    /// All its overlays, by name.
    pub overlays: BTreeMap<String, Value>,
    /// The names of those that are applied.
    pub selected: Vec<String>,
    /// The origin of the pack, as ledgers state it.
    pub source: PackSource,
    /// The endpoints of the environment, if one was named.
    pub endpoints: Option<EnvironmentEndpoints>,
}

impl PackMaterial {
    /// Returns the pack of a recorded compile.
    pub fn recorded(inputs: &BundleInputs) -> Self {
        Self {
            pack: inputs.pack.clone(),
            overlays: inputs.overlays.clone(),
            selected: inputs.selected_overlays.clone(),
            source: inputs.pack_source.clone(),
            endpoints: inputs.endpoints.clone(),
        }
    }

    /// Returns the pack of a folder or of the registry.
    pub fn of_bundle(bundle: &Bundle, selected: &[String]) -> Self {
        let overlays = bundle.overlays.iter().map(|(name, document)| (name.clone(), document.value().clone()));
        Self {
            pack: bundle.document.value().clone(),
            overlays: overlays.collect(),
            selected: selected.to_vec(),
            source: PackSource::default(),
            endpoints: None,
        }
    }

    /// States the origin of the pack.
    #[must_use]
    pub fn from_source(mut self, source: PackSource) -> Self {
        self.source = source;
        self
    }

    /// States the endpoints of the environment.
    #[must_use]
    pub fn with_endpoints(mut self, endpoints: Option<EnvironmentEndpoints>) -> Self {
        self.endpoints = endpoints;
        self
    }

    /// Returns the same pack in place of the one of a recording, and the recorded overlays that it does not have. Its own
    /// selection is applied besides the recorded one. The origin and the endpoints stay the recorded ones: a comparison is
    /// about what the documents decide.
    pub fn in_place_of(&self, recorded: &BundleInputs) -> (Self, Vec<String>) {
        let wanted = &recorded.selected_overlays;
        let (mut selected, missing): (Vec<_>, Vec<_>) =
            wanted.iter().cloned().partition(|name| self.overlays.contains_key(name));
        selected.extend(self.selected.iter().filter(|name| !wanted.contains(name)).cloned());
        let (source, endpoints) = (recorded.pack_source.clone(), recorded.endpoints.clone());
        (Self { selected, source, endpoints, ..self.clone() }, missing)
    }

    /// Computes the cache key of the hydrated pack.
    ///
    /// # Errors
    /// If a document has no canonical form.
    pub fn key(&self, tokenizer: &str) -> Result<HydrationKey, Report> {
        let failed = |error: deed_canon::CanonError| {
            let message = format!("the pack has no canonical form: {error}");
            Report::of(*Refusal::before(codes::INPUT_WITHOUT_CANONICAL_FORM, message).diagnostic)
        };
        // A set: the pack decides the order in which they are applied.
        let selected: BTreeSet<&String> = self.selected.iter().collect();
        Ok(HydrationKey {
            pack: hash_of(&CONTEXT_PACK_TAG, &self.pack).map_err(failed)?,
            overlays: hash_of(&OVERLAY_TAG, &(&self.overlays, &selected)).map_err(failed)?,
            tokenizer: tokenizer.to_owned(),
            source: self.source.clone(),
            endpoints: self.endpoints.clone(),
        })
    }

    /// Returns the documents, without golden cases.
    ///
    /// # Errors
    /// If a document has no canonical form.
    pub fn bundle(&self) -> Result<Bundle, Report> {
        let document = document("pack", &self.pack)?;
        let mut overlays = BTreeMap::new();
        for (name, overlay) in &self.overlays {
            overlays.insert(name.clone(), self::document(&format!("overlay {name}"), overlay)?);
        }
        Ok(Bundle::new(document, overlays, Vec::new()))
    }

    /// Applies the selected overlays to the pack.
    ///
    /// # Errors
    /// If a document cannot be read as a pack or an overlay, or an overlay cannot be applied.
    pub fn resolve(&self) -> Result<Resolved, Report> {
        let bundle = self.bundle()?;
        let Some(pack) = bundle.typed() else {
            let refusal = Refusal::before(codes::UNUSABLE_PACK, "the document cannot be read as a pack");
            return Err(Report::of(*refusal.diagnostic));
        };
        resolve(&bundle, &pack, &Selection::Named(self.selected.clone()))
    }
}

fn document(name: &str, value: &Value) -> Result<Document, Report> {
    let bytes = to_canonical(value).map_err(|error| {
        let message = format!("the {name} has no canonical form: {error}");
        Report::of(*Refusal::before(codes::INPUT_WITHOUT_CANONICAL_FORM, message).diagnostic)
    })?;
    Document::read(name, &bytes, Format::Json)
}

/// Hydrates a pack for a run, or returns it from the cache if its copy is fresh at the run's instant.
///
/// # Errors
/// If the run names an unknown tokenizer, or the documents do not resolve to a usable pack.
pub fn hydrate<'c>(material: &PackMaterial, run: &Run, cache: &'c Hydrations) -> Result<CachedPack<'c>, Report> {
    let tokenizer = run.tokenizer().map_err(|refusal| Report::of(*refusal.diagnostic))?;
    hydrate_at(material, tokenizer.id(), cache, Some(run.as_of()))
}

/// Hydrates a pack for a tokenizer by name, or returns it from the cache.
pub(crate) fn hydrate_for<'c>(
    material: &PackMaterial,
    tokenizer: &str,
    cache: &'c Hydrations,
) -> Result<CachedPack<'c>, Report> {
    hydrate_at(material, tokenizer, cache, None)
}

fn hydrate_at<'c>(
    material: &PackMaterial,
    tokenizer: &str,
    cache: &'c Hydrations,
    now: Option<Timestamp>,
) -> Result<CachedPack<'c>, Report> {
    let failed = |refusal: Refusal| Report::of(*refusal.diagnostic);
    let counter = named_tokenizer(tokenizer).map_err(failed)?;
    let key = material.key(tokenizer)?;
    cache.get_or_hydrate(key, now, || {
        let hydrated = Hydrated::new(&material.resolve()?, counter).map_err(failed)?;
        Ok(hydrated.from_source(material.source.clone()).with_endpoints(material.endpoints.clone()))
    })
}
