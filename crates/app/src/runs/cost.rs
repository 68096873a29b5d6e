//! The cost of a run's models: by consumer, step and model, in money and tokens, with what a replay or a resume saved.

use super::distill::distillations;
use super::load::load;
use crate::error::AppError;
use crate::session::Session;
use deed_canon::ContentHash;
use deed_model::{Budget, ModelCallOutcome, ModelConsumer, ModelCost, ModelId, ModelReply, ModelUsage, ReplySource};
use deed_ports::BlobRead as _;
use deed_runtime::{ModelCallState, RunState};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Read as _;

/// The cost of a run's models.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunCost {
    /// The run.
    pub run_id: String,
    /// The currency of the prices; none if no call has a price.
    pub currency: Option<String>,
    /// Costs by consumer, step and model.
    pub rows: Vec<CostRow>,
    /// The sums of all rows.
    pub total: CostSum,
    /// Everything that the run spent, as its budget counts it; distillations of it have budgets of their own.
    pub spent: Budget,
    /// The calls, in the order in which each step made them.
    pub calls: Vec<CostedCall>,
}

/// The cost of one consumer in one step by one model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CostRow {
    /// The consumer.
    pub consumer_key: ModelConsumer,
    /// The step; `memory.distill` for distillations of the run.
    pub step: String,
    /// The model.
    pub model: ModelId,
    /// The sums.
    pub sum: CostSum,
}

/// Sums over calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CostSum {
    /// Calls that a provider answered.
    pub asked: u64,
    /// Calls that a transcript answered.
    pub replayed: u64,
    /// Calls that failed.
    pub failed: u64,
    /// Calls without an end yet.
    pub open: u64,
    /// Times that a process ended while a call was under way: each counts as paid with its whole reservation.
    pub lost: u64,
    /// The money that was spent, in millionths.
    pub money_micros: u64,
    /// The tokens that were spent.
    pub tokens: u64,
    /// The tokens by kind, as providers reported them for replies that were paid for.
    pub usage: ModelUsage,
    /// The money that replies of a transcript had cost when they were recorded.
    pub saved_micros: u64,
    /// The tokens of replies of a transcript.
    pub saved_tokens: u64,
}

/// A call of a model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CostedCall {
    /// The key.
    #[schemars(with = "String")]
    pub key: ContentHash,
    /// The step.
    pub step: String,
    /// The attempt of the step.
    pub attempt: u32,
    /// The consumer.
    pub consumer_key: ModelConsumer,
    /// The model.
    pub model: ModelId,
    /// `asked`, `replayed`, `failed` or `open`.
    pub outcome: CallKind,
    /// The reason of the end of a reply, or the kind of a failure.
    pub ended: Option<String>,
    /// The budget that it spent.
    pub spent: Budget,
    /// The usage, as it was reported.
    pub usage: Option<ModelUsage>,
    /// The cost, where the model has a price.
    pub cost: Option<ModelCost>,
    /// The provider's id of the request.
    pub request_id: Option<String>,
    /// The parameters that were not sent.
    pub dropped: Vec<String>,
}

/// The kind of a call's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallKind {
    /// A provider answered.
    Asked,
    /// A transcript answered.
    Replayed,
    /// It failed.
    Failed,
    /// It has no end yet.
    Open,
}

impl CallKind {
    /// Returns the kind's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Replayed => "replayed",
            Self::Failed => "failed",
            Self::Open => "open",
        }
    }
}

/// Returns the cost of a run's models.
///
/// # Errors
/// There is no such run, or the store is damaged.
pub fn cost(session: &Session, run: &str) -> Result<RunCost, AppError> {
    let (home, store, loaded) = load(session, run)?;
    let reply = |sha256: &ContentHash| {
        let mut bytes = Vec::new();
        let read = store.open(sha256).ok().and_then(|mut blob| blob.read_to_end(&mut bytes).ok());
        read.and_then(|_| serde_json::from_slice::<ModelReply>(&bytes).ok())
    };
    let mut all = of_state(&loaded.run_id, &loaded.state, &reply);
    for distillation in distillations(&home, &loaded.run_id)? {
        let own = of_state(&loaded.run_id, &distillation.state, &reply);
        all.currency = all.currency.or(own.currency);
        all.total.plus(&own.total);
        all.rows.extend(own.rows);
        all.calls.extend(own.calls);
    }
    Ok(all)
}

/// Adds up the calls of a state.
fn of_state(run_id: &str, state: &RunState, reply: &dyn Fn(&ContentHash) -> Option<ModelReply>) -> RunCost {
    let mut rows: BTreeMap<(ModelConsumer, String, ModelId), CostSum> = BTreeMap::new();
    let mut calls = Vec::new();
    let mut currency = None;
    for (step, model) in state.steps.iter().flat_map(|(step, own)| own.models.iter().map(move |model| (step, model))) {
        let costed = costed(step, model, reply);
        if let Some(cost) = &costed.cost {
            currency.get_or_insert_with(|| cost.currency.clone());
        }
        let place = (costed.consumer_key, costed.step.clone(), costed.model.clone());
        rows.entry(place).or_default().add(&costed, model);
        calls.push(costed);
    }
    let mut total = CostSum::default();
    rows.values().for_each(|sum| total.plus(sum));
    let rows = rows.into_iter().map(|((consumer_key, step, model), sum)| CostRow { consumer_key, step, model, sum });
    RunCost { run_id: run_id.to_owned(), currency, rows: rows.collect(), total, spent: state.total_spent(), calls }
}

fn costed(step: &str, model: &ModelCallState, reply: &dyn Fn(&ContentHash) -> Option<ModelReply>) -> CostedCall {
    let intent = &model.intent;
    let answer = model.answer.as_ref();
    let (outcome, replied, failed) = match answer.map(|answer| &answer.outcome) {
        None => (CallKind::Open, None, None),
        Some(ModelCallOutcome::Replied { reply: blob, source, .. }) => {
            let kind = if *source == ReplySource::Provider { CallKind::Asked } else { CallKind::Replayed };
            (kind, reply(blob), None)
        }
        Some(ModelCallOutcome::Failed { kind, .. }) => (CallKind::Failed, None, Some(kind.as_str().to_owned())),
    };
    CostedCall {
        key: intent.key,
        step: step.to_owned(),
        attempt: intent.attempt,
        consumer_key: intent.consumer_key,
        model: intent.model.clone(),
        outcome,
        ended: replied.as_ref().map(|reply| reply.stop.as_str().to_owned()).or(failed),
        spent: model.spent(),
        usage: replied.as_ref().and_then(|reply| reply.usage),
        cost: answer.and_then(|answer| answer.cost.clone()),
        request_id: replied.as_ref().and_then(|reply| reply.request_id.clone()),
        dropped: replied.into_iter().flat_map(|reply| reply.dropped).map(|dropped| dropped.parameter).collect(),
    }
}

impl CostSum {
    fn add(&mut self, call: &CostedCall, model: &ModelCallState) {
        let counter = match call.outcome {
            CallKind::Asked => &mut self.asked,
            CallKind::Replayed => &mut self.replayed,
            CallKind::Failed => &mut self.failed,
            CallKind::Open => &mut self.open,
        };
        *counter += 1;
        self.lost += u64::from(model.begun.saturating_sub(1));
        self.money_micros = self.money_micros.saturating_add(call.spent.money_micros.unwrap_or_default());
        self.tokens = self.tokens.saturating_add(call.spent.model_tokens.unwrap_or_default());
        let usage = call.usage.unwrap_or_default();
        match call.outcome {
            CallKind::Asked => self.usage = added(self.usage, usage),
            CallKind::Replayed => {
                let cost = call.cost.as_ref().map_or(0, |cost| cost.actual_micros);
                self.saved_micros = self.saved_micros.saturating_add(cost);
                self.saved_tokens = self.saved_tokens.saturating_add(usage.total());
            }
            CallKind::Failed | CallKind::Open => {}
        }
    }

    fn plus(&mut self, other: &Self) {
        self.asked += other.asked;
        self.replayed += other.replayed;
        self.failed += other.failed;
        self.open += other.open;
        self.lost += other.lost;
        self.money_micros = self.money_micros.saturating_add(other.money_micros);
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.usage = added(self.usage, other.usage);
        self.saved_micros = self.saved_micros.saturating_add(other.saved_micros);
        self.saved_tokens = self.saved_tokens.saturating_add(other.saved_tokens);
    }
}

fn added(a: ModelUsage, b: ModelUsage) -> ModelUsage {
    ModelUsage {
        input: a.input.saturating_add(b.input),
        cached_read: a.cached_read.saturating_add(b.cached_read),
        cached_write: a.cached_write.saturating_add(b.cached_write),
        image: a.image.saturating_add(b.image),
        output: a.output.saturating_add(b.output),
        reasoning: a.reasoning.saturating_add(b.reasoning),
    }
}

#[cfg(test)]
mod tests;
