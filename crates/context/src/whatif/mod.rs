//! What another pack would change over an archive of recorded requests.

mod compare;
mod gates;
mod seen;

pub use compare::{Compared, Shift};
pub use gates::{GateJudgement, GateVerdict};

use crate::cache::Hydrations;
use crate::compile::{compile_candidate, compile_recorded};
use crate::refusal::{Refusal, codes};
use crate::replay::{PackMaterial, broken, counted_by, hydrate_for, known_format, prepare};
use deed_diag::Report;
use deed_model::ReplayBundle;
use seen::Seen;
use serde::Serialize;
use serde_json::Value;

/// What another pack would change.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WhatIf {
    /// The pack that was tried.
    pub candidate: String,
    /// How many recordings there were.
    pub requests: usize,
    /// Those that would come out differently.
    pub changed: Vec<Compared>,
    /// Tokens of all prompts as they were recorded.
    pub tokens_before: u64,
    /// The same with the candidate.
    pub tokens_after: u64,
    /// Requests that compiled and that the candidate refuses.
    pub broken: usize,
    /// Requests that lose blocks which they kept.
    pub truncated_more: usize,
    /// The release gates, each judged or said to be beyond judging here.
    pub gates: Vec<GateJudgement>,
}

impl WhatIf {
    /// False where a release gate fails, or where the candidate refuses what compiled.
    pub fn passes(&self) -> bool {
        self.broken == 0 && self.gates.iter().all(|gate| gate.verdict != GateVerdict::Failed)
    }
}

/// Recompiles recorded requests with a candidate pack and says what would change.
pub fn whatif(bundles: &[ReplayBundle], candidate: &PackMaterial, cache: &Hydrations) -> Result<WhatIf, Report> {
    let mut survey = Survey::new(candidate, cache);
    bundles.iter().try_for_each(|bundle| survey.add(bundle))?;
    Ok(survey.finish())
}

/// The same, one recording after the other, for archives that do not fit into memory.
#[derive(Debug)]
pub struct Survey<'c> {
    candidate: &'c PackMaterial,
    cache: &'c Hydrations,
    judge: gates::Judge,
    reference: String,
    compared: Vec<Compared>,
}

impl<'c> Survey<'c> {
    /// A survey of nothing yet.
    pub fn new(candidate: &'c PackMaterial, cache: &'c Hydrations) -> Self {
        let judge = gates::Judge::default();
        let named = |key: &str| candidate.pack.get("pack_meta").and_then(|m| m.get(key)).and_then(Value::as_str);
        let reference = format!("{}@{}", named("pack_id").unwrap_or("?"), named("pack_version").unwrap_or("?"));
        Self { candidate, cache, judge, reference, compared: Vec::new() }
    }

    /// Recompiles one recording with both packs.
    pub fn add(&mut self, bundle: &ReplayBundle) -> Result<(), Report> {
        known_format(bundle)?;
        unchanged(bundle)?;
        let prepared = prepare(&bundle.inputs)?;
        let (own, missing) = self.candidate.with_selection(&bundle.inputs.selected_overlays);
        let counter = counted_by(&bundle.inputs, &prepared.run);
        let recorded = hydrate_for(&PackMaterial::recorded(&bundle.inputs), counter, self.cache)?;
        let (before, _) = compile_recorded(&recorded, prepared.inputs());
        let before = Seen::of(&before, &recorded);
        self.judge.learn(recorded.pack());
        let after = match hydrate_for(&own, counter, self.cache) {
            Ok(tried) => {
                self.judge.learn(tried.pack());
                Seen::of(&compile_candidate(&tried, prepared.inputs()).0, &tried)
            }
            // Overlays that do not fit the candidate stop the requests that they concern, and no others.
            Err(report) => Seen::unresolved(report.diagnostics().first().map_or("", |d| d.code.as_str())),
        };
        self.compared.push(compare::compare(bundle, &before, &after, missing));
        Ok(())
    }

    /// What would change.
    pub fn finish(self) -> WhatIf {
        let compared = self.compared;
        WhatIf {
            candidate: self.reference,
            requests: compared.len(),
            tokens_before: compared.iter().map(|c| c.tokens_before).sum(),
            tokens_after: compared.iter().map(|c| c.tokens_after).sum(),
            broken: compared.iter().filter(|c| c.broken).count(),
            truncated_more: compared.iter().filter(|c| !c.blocks_lost.is_empty()).count(),
            gates: self.judge.judge(&compared),
            changed: compared.into_iter().filter(Compared::is_changed).collect(),
        }
    }
}

/// A recording that was changed says nothing about what happened.
fn unchanged(bundle: &ReplayBundle) -> Result<(), Report> {
    let broken = broken(bundle).unwrap_or_else(|error| vec![error.to_string()]);
    if broken.is_empty() {
        return Ok(());
    }
    let message = format!("the bundle is not what was recorded: {}", broken.join(", "));
    let refusal = Refusal::before(codes::TAMPERED, message)
        .place("bundle", "")
        .help("`deed context replay` says more; take it out of the archive, or bring back the original");
    Err(Report::of(*refusal.diagnostic))
}
