//! From recorded documents to what a compile reads.

use crate::cache::{Cached, HydrationKey, Hydrations};
use crate::hydrate::Hydrated;
use crate::inputs::{Evidence, Inputs, Memory, ReadInput, Request, Run, named_tokenizer};
use crate::refusal::{Refusal, codes};
use deed_canon::{hash_of, to_canonical};
use deed_diag::{Document, Format, Report};
use deed_model::{BundleInputs, CONTEXT_PACK_TAG, OVERLAY_TAG};
use deed_pack::{Bundle, Resolved, Selection, resolve};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A pack with its overlays, as documents.
#[derive(Debug, Clone, PartialEq)]
pub struct PackMaterial {
    /// The pack as authored.
    pub pack: Value,
    /// All its overlays, by name.
    pub overlays: BTreeMap<String, Value>,
    /// Those that are applied.
    pub selected: Vec<String>,
}

impl PackMaterial {
    /// The pack of a recorded compile.
    pub fn recorded(inputs: &BundleInputs) -> Self {
        Self {
            pack: inputs.pack.clone(),
            overlays: inputs.overlays.clone(),
            selected: inputs.selected_overlays.clone(),
        }
    }

    /// The pack of a folder or of the registry.
    pub fn of_bundle(bundle: &Bundle, selected: &[String]) -> Self {
        let overlays = bundle.overlays.iter().map(|(name, document)| (name.clone(), document.value().clone()));
        Self { pack: bundle.document.value().clone(), overlays: overlays.collect(), selected: selected.to_vec() }
    }

    /// The same pack with the overlays of another selection, as far as it has them; and those that it lacks.
    pub(crate) fn with_selection(&self, wanted: &[String]) -> (Self, Vec<String>) {
        let (there, missing) = wanted.iter().cloned().partition(|name| self.overlays.contains_key(name));
        (Self { selected: there, ..self.clone() }, missing)
    }

    /// What the hydrated pack follows from.
    pub fn key(&self, tokenizer: &str) -> Result<HydrationKey, Report> {
        let failed = |error: deed_canon::CanonError| {
            let message = format!("the pack has no canonical form: {error}");
            Report::of(*Refusal::before(codes::NO_CANONICAL_FORM, message).diagnostic)
        };
        // The pack says in which order they are applied.
        let selected: BTreeSet<&String> = self.selected.iter().collect();
        Ok(HydrationKey {
            pack: hash_of(&CONTEXT_PACK_TAG, &self.pack).map_err(failed)?,
            overlays: hash_of(&OVERLAY_TAG, &(&self.overlays, &selected)).map_err(failed)?,
            tokenizer: tokenizer.to_owned(),
        })
    }

    /// The pack with its overlays applied.
    pub fn resolve(&self) -> Result<Resolved, Report> {
        let document = document("pack", &self.pack)?;
        let mut overlays = BTreeMap::new();
        for (name, overlay) in &self.overlays {
            overlays.insert(name.clone(), self::document(&format!("overlay {name}"), overlay)?);
        }
        let bundle = Bundle::new(document, overlays, Vec::new());
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
        Report::of(*Refusal::before(codes::NO_CANONICAL_FORM, message).diagnostic)
    })?;
    Document::read(name, &bytes, Format::Json)
}

/// Inputs that have been read.
pub(crate) struct Prepared {
    pub(crate) request: Request,
    pub(crate) run: Run,
    pub(crate) evidence: Evidence,
    pub(crate) memory: Memory,
}

impl Prepared {
    pub(crate) fn inputs(&self) -> Inputs<'_> {
        Inputs { request: &self.request, run: &self.run, evidence: &self.evidence, memory: &self.memory }
    }
}

/// Reads recorded inputs.
pub(crate) fn prepare(inputs: &BundleInputs) -> Result<Prepared, Report> {
    let failed = |refusal: Refusal| Report::of(*refusal.diagnostic);
    Ok(Prepared {
        request: Request::from_value(inputs.request.clone()).map_err(failed)?,
        run: Run::from_value(inputs.run.clone()).map_err(failed)?,
        evidence: Evidence::from_value(inputs.evidence.clone()).map_err(failed)?,
        memory: Memory::from_value(inputs.memory.clone()).map_err(failed)?,
    })
}

/// Makes a pack ready for a run, or finds it in the cache.
pub fn hydrate<'c>(material: &PackMaterial, run: &Run, cache: &'c Hydrations) -> Result<Cached<'c>, Report> {
    let tokenizer = run.tokenizer().map_err(|refusal| Report::of(*refusal.diagnostic))?;
    hydrate_for(material, tokenizer.id(), cache)
}

/// What counted the tokens of a recording: what its run names, or else what was assumed then.
pub(crate) fn counted_by<'i>(inputs: &'i BundleInputs, run: &'i Run) -> &'i str {
    run.context().tokenizer.as_deref().unwrap_or(&inputs.tokenizer)
}

/// The same for the tokenizer that a recording names.
pub(crate) fn hydrate_for<'c>(
    material: &PackMaterial,
    tokenizer: &str,
    cache: &'c Hydrations,
) -> Result<Cached<'c>, Report> {
    let failed = |refusal: Refusal| Report::of(*refusal.diagnostic);
    let counter = named_tokenizer(tokenizer).map_err(failed)?;
    let key = material.key(tokenizer)?;
    cache.get_or_hydrate(key, || Hydrated::new(&material.resolve()?, counter).map_err(failed))
}
