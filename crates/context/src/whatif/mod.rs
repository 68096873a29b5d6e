//! What-if: the changes that another pack would make over an archive of recorded requests.

mod compare;
mod decisions;
mod gates;
mod prompt;
mod seen;

pub use compare::{RequestComparison, ValueChange};
pub use gates::{GateJudgement, GateVerdict};
pub use prompt::PromptChange;

use crate::cache::Hydrations;
use crate::compile::{compile_candidate, compile_recorded};
use crate::hydrate::{PackMaterial, hydrate_for};
use crate::refusal::Refusal;
use crate::replay::{broken, counted_by, known_format, prepare};
use deed_diag::{Report, codes};
use deed_model::{BundleInputs, RegressionMetric, ReplayBundle};
use seen::Seen;
use serde::Serialize;
use serde_json::Value;

/// The result of a what-if.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct WhatIf {
    /// The candidate pack.
    pub candidate: String,
    /// The number of recordings.
    pub requests: usize,
    /// The requests whose result would change.
    pub changed: Vec<RequestComparison>,
    /// Tokens of all prompts as they were recorded.
    pub tokens_before: u64,
    /// Tokens of all prompts with the candidate.
    pub tokens_after: u64,
    /// Requests that compiled and that the candidate refuses.
    pub broken: usize,
    /// Requests for which something that was allowed is held back, or more is demanded.
    pub tightened: usize,
    /// Requests that lose blocks which they kept.
    pub truncated_more: usize,
    /// The release gates with their judgements.
    pub gates: Vec<GateJudgement>,
    /// Changes of the packs themselves that no proof covers, whether a request reaches them or not.
    pub unproven: Vec<UnprovenChange>,
}

/// A change between a recorded pack and the candidate that is not proven to tighten, or that a model reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct UnprovenChange {
    /// The recorded pack.
    pub base: String,
    /// The code of the finding that the release gates have for it.
    pub code: String,
    /// The metric that it counts as.
    pub metric: RegressionMetric,
    /// JSON Pointer of the change in the candidate.
    pub pointer: Option<String>,
    /// The change, and why it counts.
    pub what: String,
}

impl WhatIf {
    /// Returns false if a release gate fails, or if the candidate refuses a request that compiled.
    pub fn passes(&self) -> bool {
        self.broken == 0 && self.gates.iter().all(|gate| gate.verdict != GateVerdict::Failed)
    }
}

/// Recompiles recorded requests with a candidate pack and compares the results.
///
/// # Errors
/// If a bundle was changed since its recording, or its pack cannot be hydrated.
pub fn whatif(bundles: &[ReplayBundle], candidate: &PackMaterial, cache: &Hydrations) -> Result<WhatIf, Report> {
    let mut survey = Survey::new(candidate, cache);
    bundles.iter().try_for_each(|bundle| survey.add(bundle))?;
    Ok(survey.finish())
}

/// A what-if over one recording after the other, for archives that do not fit into memory.
#[derive(Debug)]
pub struct Survey<'c> {
    candidate: &'c PackMaterial,
    base: Option<&'c PackMaterial>,
    cache: &'c Hydrations,
    judge: gates::Judge,
    reference: String,
    compared: Vec<RequestComparison>,
}

impl<'c> Survey<'c> {
    /// Creates an empty survey.
    pub fn new(candidate: &'c PackMaterial, cache: &'c Hydrations) -> Self {
        let judge = gates::Judge::default();
        let named = |key: &str| candidate.pack.get("pack_meta").and_then(|m| m.get(key)).and_then(Value::as_str);
        let reference = format!("{}@{}", named("pack_id").unwrap_or("?"), named("pack_version").unwrap_or("?"));
        Self { candidate, base: None, cache, judge, reference, compared: Vec::new() }
    }

    /// Compares with another version in place of the packs that were recorded.
    #[must_use]
    pub fn since(self, base: &'c PackMaterial) -> Self {
        Self { base: Some(base), ..self }
    }

    /// Recompiles one recording with both packs.
    ///
    /// # Errors
    /// If the bundle was changed since its recording, or its pack cannot be hydrated.
    pub fn add(&mut self, bundle: &ReplayBundle) -> Result<(), Report> {
        self.add_recorded(bundle, &bundle.inputs)
    }

    /// Compiles one recording with both packs, with another request and run in place of the recorded ones.
    ///
    /// # Errors
    /// If the bundle was changed since its recording, its pack cannot be hydrated, or an input is not valid.
    pub fn add_varied(&mut self, bundle: &ReplayBundle, request: Value, run: Value) -> Result<(), Report> {
        self.add_recorded(bundle, &BundleInputs { request, run, ..bundle.inputs.clone() })
    }

    fn add_recorded(&mut self, bundle: &ReplayBundle, inputs: &BundleInputs) -> Result<(), Report> {
        known_format(bundle)?;
        unchanged(bundle)?;
        let compared = self.compare(&bundle.packet.packet_id, &bundle.packet.source_ref, inputs)?;
        self.compared.push(compared);
        Ok(())
    }

    /// Compiles a request with both packs that was not recorded, such as that of a golden case. It is named by its id.
    ///
    /// # Errors
    /// If the inputs cannot be read, or their pack cannot be hydrated.
    pub fn add_request(&mut self, id: &str, inputs: &BundleInputs) -> Result<(), Report> {
        let compared = self.compare(id, id, inputs)?;
        self.compared.push(compared);
        Ok(())
    }

    fn compare(&mut self, id: &str, source: &str, inputs: &BundleInputs) -> Result<RequestComparison, Report> {
        let prepared = prepare(inputs)?;
        let (own, missing) = self.candidate.in_place_of(inputs);
        let counter = counted_by(inputs, &prepared.run);
        let (before, hydrated) = match self.base {
            Some(base) => {
                let hydrated = hydrate_for(&base.in_place_of(inputs).0, counter, self.cache)?;
                (Seen::of(&compile_candidate(&hydrated, prepared.inputs()).0, &hydrated), hydrated)
            }
            None => {
                let hydrated = hydrate_for(&PackMaterial::recorded(inputs), counter, self.cache)?;
                (Seen::of(&compile_recorded(&hydrated, prepared.inputs()).0, &hydrated), hydrated)
            }
        };
        self.judge.learn(hydrated.pack());
        let after = match hydrate_for(&own, counter, self.cache) {
            Ok(tried) => {
                self.judge.learn(tried.pack());
                Seen::of(&compile_candidate(&tried, prepared.inputs()).0, &tried)
            }
            // Overlays that do not fit the candidate stop only the requests that select them.
            Err(report) => Seen::unresolved(report.diagnostics().first().map_or("", |d| d.code.as_str())),
        };
        Ok(compare::compare((id, source), &before, &after, missing))
    }

    /// Returns the result.
    pub fn finish(self) -> WhatIf {
        let compared = self.compared;
        WhatIf {
            candidate: self.reference,
            requests: compared.len(),
            tokens_before: compared.iter().map(|c| c.tokens_before).sum(),
            tokens_after: compared.iter().map(|c| c.tokens_after).sum(),
            broken: compared.iter().filter(|c| c.broken).count(),
            tightened: compared.iter().filter(|c| c.tightened).count(),
            truncated_more: compared.iter().filter(|c| !c.blocks_lost.is_empty()).count(),
            gates: self.judge.judge(&compared),
            // The caller compares the packs: the rules for it stand above this crate.
            unproven: Vec::new(),
            changed: compared.into_iter().filter(RequestComparison::is_changed).collect(),
        }
    }
}

/// Refuses a recording that was changed: it is not evidence of what happened.
fn unchanged(bundle: &ReplayBundle) -> Result<(), Report> {
    let broken = broken(bundle).unwrap_or_else(|error| vec![error.to_string()]);
    if broken.is_empty() {
        return Ok(());
    }
    let message = format!("the bundle is not what was recorded: {}", broken.join(", "));
    let refusal = Refusal::before(codes::RECORDING_TAMPERED, message)
        .place("bundle", "")
        .help("run `deed context replay` for details; remove it from the archive, or restore the original");
    Err(Report::of(*refusal.diagnostic))
}
