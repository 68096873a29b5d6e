//! Trial: golden requests and recordings, compiled with the candidate and compared with the base.
//!
//! Enters: a release, and recordings one after the other. Leaves: what changes for each request, and what was measured.
//! Must prove: the golden requests of the base are tried even if the candidate deletes or rewrites them.

mod evaluators;
mod measure;

pub(crate) use evaluators::evaluate;
pub use evaluators::{EvaluatorResult, EvaluatorVerdict};
pub(crate) use measure::Measured;

use crate::release::Release;
use deed_context::{GoldenMove, Hydrations, Survey, WhatIf, replay_against};
use deed_diag::Report;
use deed_model::{ReplayBundle, ReplayResult};
use serde_json::Value;
use std::fmt;
use std::time::Duration;

/// Returns the time that has passed since some fixed instant. The caller has a clock; this crate has none.
pub type Stopwatch<'c> = &'c dyn Fn() -> Duration;

/// A release that is tried on requests.
pub struct Trial<'r> {
    release: &'r Release<'r>,
    cache: &'r Hydrations,
    stopwatch: Stopwatch<'r>,
    survey: Survey<'r>,
    measured: Vec<Measured>,
    archives: Vec<(String, usize)>,
    corrections: Vec<FailingCorrection>,
    foreign: usize,
}

// The stopwatch has nothing to show.
impl fmt::Debug for Trial<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Trial({} requests)", self.measured.len())
    }
}

/// A correction of an operator that the candidate does not meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingCorrection {
    /// The packet.
    pub packet_id: String,
    /// The parts that do not hold, in words.
    pub unmet: Vec<String>,
}

/// What a trial found.
#[derive(Debug)]
pub struct TrialResult {
    /// What would change for requests.
    pub what_if: WhatIf,
    /// The number of golden requests that were compared with the base; 0 without a base.
    pub golden: usize,
    /// The archives, each with the number of recordings that were tried.
    pub archives: Vec<(String, usize)>,
    /// The corrections that the candidate does not meet.
    pub corrections: Vec<FailingCorrection>,
    /// The number of recordings of other packs, which were left out.
    pub foreign: usize,
    pub(crate) measured: Vec<Measured>,
}

/// The prefix of the ids of golden requests, which no recording has.
pub(crate) const GOLDEN: &str = "golden/";

impl<'r> Trial<'r> {
    /// Creates a trial without requests.
    pub fn new(release: &'r Release<'r>, cache: &'r Hydrations, stopwatch: Stopwatch<'r>) -> Self {
        let survey = Survey::new(&release.candidate.material, cache);
        let survey = match &release.base {
            Some(base) => survey.since(&base.material),
            None => survey,
        };
        Self {
            release,
            cache,
            stopwatch,
            survey,
            measured: Vec::new(),
            archives: Vec::new(),
            corrections: Vec::new(),
            foreign: 0,
        }
    }

    /// Tries the golden requests of the base, and those that the candidate adds. Returns how many were compared.
    ///
    /// # Errors
    /// A golden case of the base cannot be read, or its request cannot be compiled at all.
    pub fn golden(&mut self) -> Result<usize, Report> {
        let own = self.release.candidate.golden();
        for (name, request) in &own {
            self.measured.extend(measure::compile(
                &self.release.candidate.material,
                &format!("{GOLDEN}{name}"),
                &request.inputs,
                (self.cache, self.stopwatch),
            ));
        }
        let Some(base) = &self.release.base else { return Ok(0) };
        // No gate judges the base, so what it expects would be left out unnoticed.
        if let Some(unreadable) = base.unreadable_golden() {
            return Err(unreadable);
        }
        let before = base.golden();
        let mut compared = 0;
        for (name, request) in &before {
            self.survey.add_request(&format!("{GOLDEN}{name}"), &request.inputs)?;
            compared += 1;
        }
        for (name, request) in own {
            if before.get(&name).is_some_and(|old| same_request(&old.case.request, &request.case.request)) {
                continue;
            }
            // A request that only the candidate understands has nothing to be compared with.
            if self.survey.add_request(&format!("{GOLDEN}{name} (candidate)"), &request.inputs).is_ok() {
                compared += 1;
            }
        }
        Ok(compared)
    }

    /// Tries one recording of an archive. A recording of another pack is left out, and counted.
    ///
    /// # Errors
    /// The recording was changed since it was made, or cannot be compiled again.
    pub fn add(&mut self, archive: &str, bundle: &ReplayBundle) -> Result<(), Report> {
        if !self.release.is_about(&bundle.inputs) {
            self.foreign += 1;
            return Ok(());
        }
        self.survey.add(bundle)?;
        self.corrected(bundle)?;
        self.measured.extend(measure::compile(
            &self.release.candidate.material,
            &bundle.packet.packet_id,
            &bundle.inputs,
            (self.cache, self.stopwatch),
        ));
        match self.archives.iter_mut().find(|(name, _)| name == archive) {
            Some((_, count)) => *count += 1,
            None => self.archives.push((archive.to_owned(), 1)),
        }
        Ok(())
    }

    /// Judges what an operator stated about a recording by the candidate.
    fn corrected(&mut self, bundle: &ReplayBundle) -> Result<(), Report> {
        if bundle.packet.correction.is_none() {
            return Ok(());
        }
        let replayed = replay_against(bundle, &self.release.candidate.material, self.cache)?;
        if replayed.result == ReplayResult::StillFailing {
            let unmet = replayed.unmet.iter().map(GoldenMove::line).collect();
            self.corrections.push(FailingCorrection { packet_id: bundle.packet.packet_id.clone(), unmet });
        }
        Ok(())
    }

    /// Returns what was found.
    pub fn finish(self, golden: usize) -> TrialResult {
        let Self { survey, measured, archives, corrections, foreign, .. } = self;
        TrialResult { what_if: survey.finish(), golden, archives, corrections, foreign, measured }
    }
}

/// Returns true if two requests differ at most in the versions of packs that they name.
fn same_request(a: &Value, b: &Value) -> bool {
    let settled = |request: &Value| {
        let mut request = request.clone();
        request.as_object_mut().map(|members| members.remove("context_pack_refs"));
        request
    };
    settled(a) == settled(b)
}
