//! A release: a candidate, and the version that it is judged against.

use deed_context::{DEFAULT_TOKENIZER, PackMaterial};
use deed_diag::{Diagnostic, Document, Report, codes, quote};
use deed_model::{BundleInputs, ContextPack, GoldenCase, PackSource};
use deed_pack::Bundle;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A candidate and its base, each with the overlays that an environment applies.
#[derive(Debug)]
pub struct Release<'b> {
    /// The candidate.
    pub candidate: Side<'b>,
    /// The version that it is judged against; none for the first version of a pack.
    pub base: Option<Side<'b>>,
}

/// A version of a pack in a release.
#[derive(Debug)]
pub struct Side<'b> {
    /// Its documents.
    pub bundle: &'b Bundle,
    /// Its typed pack.
    pub pack: ContextPack,
    /// The pack as compiles take it.
    pub material: PackMaterial,
}

impl<'b> Side<'b> {
    fn of(bundle: &'b Bundle, overlays: &[String]) -> Option<Self> {
        Some(Self { bundle, pack: bundle.typed()?, material: PackMaterial::of_bundle(bundle, overlays) })
    }

    /// Returns the readable golden cases by name, with the inputs of their compile under this pack.
    pub(crate) fn golden(&self) -> BTreeMap<String, GoldenRequest<'b>> {
        let requests = self.bundle.golden.iter().filter_map(|document| {
            // The replay gate reports a case that cannot be read.
            let case = GoldenCase::deserialize(document.value()).ok()?;
            let inputs = inputs_of(&case, &self.material);
            Some((golden_name(document), GoldenRequest { document, case, inputs }))
        });
        requests.collect()
    }

    /// Returns a finding for each golden case that cannot be read.
    pub(crate) fn unreadable_golden(&self) -> Option<Report> {
        let mut report = Report::default();
        for document in &self.bundle.golden {
            if let Err(error) = GoldenCase::deserialize(document.value()) {
                let message = format!("the golden case {} cannot be read: {error}", quote(&golden_name(document)));
                report.add_source(document.source().clone());
                report.push(
                    Diagnostic::error(codes::GOLDEN_CASE_NOT_READABLE, message).stage("release").at(document.place("")),
                );
            }
        }
        report.has_errors().then_some(report)
    }
}

/// A golden case with the inputs of its compile.
pub(crate) struct GoldenRequest<'b> {
    pub(crate) document: &'b Document,
    pub(crate) case: GoldenCase,
    pub(crate) inputs: BundleInputs,
}

impl<'b> Release<'b> {
    /// Creates a release, or returns `None` if a document does not have the shape of a pack.
    pub fn of(candidate: (&'b Bundle, &[String]), base: Option<(&'b Bundle, &[String])>) -> Option<Self> {
        let base = match base {
            Some((bundle, overlays)) => Some(Side::of(bundle, overlays)?),
            None => None,
        };
        Some(Self { candidate: Side::of(candidate.0, candidate.1)?, base })
    }

    /// Returns true if a recording is about the candidate's pack, in any version.
    pub(crate) fn is_about(&self, inputs: &BundleInputs) -> bool {
        let own = self.candidate.pack.pack_meta.pack_id.as_str();
        inputs.pack.pointer("/pack_meta/pack_id").and_then(Value::as_str) == Some(own)
    }
}

/// Returns the name of a golden case: its file without folders and extension.
pub(crate) fn golden_name(case: &Document) -> String {
    golden_stem(case.source().name()).to_owned()
}

/// Returns the name of a file without its folders and its extension.
pub(crate) fn golden_stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

fn inputs_of(case: &GoldenCase, material: &PackMaterial) -> BundleInputs {
    let tokenizer = case.run.get("tokenizer").and_then(Value::as_str).unwrap_or(DEFAULT_TOKENIZER);
    BundleInputs {
        endpoints: None,
        recalled_memory: None,
        tool_transcript: Vec::new(),
        evidence: Value::Array(case.evidence.clone()),
        memory: Value::Array(case.memory.clone()),
        overlays: material.overlays.clone(),
        pack: material.pack.clone(),
        pack_source: PackSource::default(),
        request: case.request.clone(),
        run: case.run.clone(),
        selected_overlays: case.overlays.clone(),
        tokenizer: tokenizer.to_owned(),
    }
}
