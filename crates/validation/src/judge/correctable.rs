//! What a model is asked to propose for an artifact: the places that may be changed, with what is wrong with them.
//!
//! A contract waits for proposals where it says so: by a confidence that they need (`patch.least_confidence`, for `L2`), or by
//! a mode of `L6`. Only JSON is corrected, and nothing is asked about a payload in which the guard found something.

use super::{Artifact, climb};
use crate::validator::{PreparedPack, Validator};
use deed_canon::{Pointer, canonical_string};
use deed_ladder::{Input, Ladder, climb as climbed};
use deed_model::{
    AskedCorrector, LadderMode, LadderOutcome, Phase, Proposals, ReadAs, Rung, ValidationMode, ValidationRule,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The most places that are listed.
const MOST_PLACES: usize = 100;

/// Proposals of a model for an artifact, as a run froze them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proposed<'a> {
    /// The record: the call, the kept proposals, or the reason why there are none.
    pub record: &'a AskedCorrector,
    /// The proposals; none without a usable answer.
    pub proposals: &'a Proposals,
}

/// A payload for which a model may propose values.
#[derive(Debug, Clone, PartialEq)]
pub struct Correctable {
    /// The payload, as far as the ladder read it.
    pub payload: Value,
    /// The schema and the rules of the contract, as JSON text.
    pub rules: String,
    /// Pointers of values that may be changed, each with what is wrong with it; empty if nothing was found.
    pub places: Vec<(String, String)>,
    /// The rung that judges value patches.
    pub rung: Rung,
    /// True if findings are asked for too.
    pub finds: bool,
}

/// The rungs that wait for proposals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub(crate) patches: bool,
    pub(crate) expert: bool,
}

/// Returns the rungs of a rule that wait for proposals in a phase; none if no rung does.
pub(crate) fn waiting(rule: &ValidationRule, ladder: &Ladder, phase: Phase) -> Option<Waiting> {
    let contract = ladder.contract();
    let runs = |rung| ladder.mode(phase, rung) != LadderMode::Off;
    let of_phase = contract.phases.get(&phase).is_some_and(|modes| modes.contains_key(&Rung::L6));
    let waiting = Waiting {
        patches: contract.patch.least_confidence > 0 && runs(Rung::L2),
        expert: (of_phase || contract.modes.contains_key(&Rung::L6)) && runs(Rung::L6),
    };
    (rule.read_as == ReadAs::Json && (waiting.patches || waiting.expert)).then_some(waiting)
}

impl Validator {
    /// Returns what a model is asked about an artifact; none if its contract waits for no proposals, or none can help.
    pub fn correctable(&self, artifact: &Artifact<'_>) -> Option<Correctable> {
        if self.mode(artifact.phase) == ValidationMode::Off {
            return None;
        }
        self.pack_for(artifact.phase, artifact.path)?.correctable(artifact)
    }
}

impl PreparedPack {
    fn correctable(&self, artifact: &Artifact<'_>) -> Option<Correctable> {
        let (rule, own) = self.rule_for(artifact.path)?;
        let own = own?;
        let waiting = waiting(rule, own, artifact.phase)?;
        let held = climb::held(rule, own, artifact).ok()?;
        let ladder = held.as_ref().unwrap_or(own);
        let text = std::str::from_utf8(artifact.bytes?).ok()?;
        let reached = climbed(ladder, Input::Text(text), artifact.phase, &Proposals::default());
        let found = reached.report.findings;
        if found.iter().any(|finding| finding.rung == Rung::L3) {
            return None;
        }
        let payload = reached.payload?;
        let mut wrong: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for finding in found.iter().filter(|finding| finding.blocks) {
            wrong.entry(&finding.pointer).or_default().push(&finding.message);
        }
        let mut places = Vec::new();
        values(&payload, "", &mut |pointer| {
            let said = wrong.get(pointer).map(|messages| messages.join("; "));
            if said.is_some() || waiting.expert {
                places.push((pointer.to_owned(), said.unwrap_or_default()));
            }
        });
        // What is wrong comes first, where not all places are listed.
        places.sort_by_key(|(_, wrong)| wrong.is_empty());
        places.truncate(MOST_PLACES);
        let refused = reached.report.outcome == LadderOutcome::Rejected;
        let helps = refused && places.iter().any(|(_, wrong)| !wrong.is_empty());
        (waiting.expert || helps).then(|| Correctable {
            rules: rules(ladder),
            rung: if waiting.patches { Rung::L2 } else { Rung::L6 },
            finds: waiting.expert,
            payload,
            places,
        })
    }
}

/// The schema and the rules of a contract.
fn rules(ladder: &Ladder) -> String {
    let contract = ladder.contract();
    let domain = serde_json::to_value(&contract.domain).unwrap_or_default();
    let whole = json!({ "schema": contract.schema, "rules": domain });
    canonical_string(&whole).unwrap_or_else(|_| whole.to_string())
}

/// Visits the pointers of all values that are neither lists nor objects, in order.
fn values(value: &Value, pointer: &str, each: &mut dyn FnMut(&str)) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(key, inner)| values(inner, &Pointer::push(pointer, key), each));
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, inner)| values(inner, &Pointer::push(pointer, &index.to_string()), each));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => each(pointer),
    }
}
