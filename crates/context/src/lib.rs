//! The context compiler: a pinned pack, a run and a request become everything that a model sees.
//!
//! [`compile`] is pure and synchronous. Evidence, memory, the instant and the tokenizer are inputs; the same inputs
//! give the same bytes. Each of the eight stages has a hash over what it read and what it decided, so that a replay can
//! name the first stage that changed.

mod block_id;
mod cache;
mod compile;
mod count;
mod decided;
mod dispatch;
mod explain;
mod golden;
mod hydrate;
mod inputs;
mod outcome;
mod prompt;
mod redacted;
mod refusal;
mod replay;
mod resolve;
mod seal;
mod stages;
mod stats;
mod tally;
mod text;
mod tokens;
mod whatif;

pub use cache::{CachedPack, HydrationKey, Hydrations};
pub use compile::{compile, compile_candidate, compile_recorded, compile_with};
pub use decided::verify;
pub use dispatch::dispatch;
pub use explain::{ContextExplanation, ControlExplanation, ItemExplanation, RuleExplanation, explain};
pub use golden::{EditFault, ExaminedCase, GoldenBase, GoldenMove, GoldenRunner, accepted, examine};
pub use hydrate::{Hydrated, PackMaterial, hydrate};
pub use inputs::{Evidence, Inputs, Memory, ReadInput, Request, Run};
pub use outcome::Outcome;
pub use prompt::{PrefixChange, compare_prefix, render as render_prompt, render_split};
pub use refusal::Refusal;
pub use replay::{
    DifferenceScope, LifeFault, MadeCase, PACKET_LIFE_FORMAT, REPLAY_FORMAT, Recording, RecordingOrigin, Reopened,
    ReplayReport, StageDifference, SupersedeFault, determinism_rate, extended, make_case, may_take_place, record,
    reopen, replay, replay_against, replayed_event, superseded_event, verify_life,
};
pub use resolve::RUNTIME_VERSION;
pub use stats::{
    ArchiveEvidence, Better, CompileFacts, GateObservation, Measured, MetricChange, MetricDefinition, MetricName,
    MetricReport, MetricRow, MetricSource, MetricUnit, Observation, Observed, PackComparison, PackControlKind,
    PackControls, PackSummary, RemovedControl, ReplayOutcome, RollbackObservation, RowChange, RuleFacts, Statistics,
    SurfaceFacts, newest_versions, observe, statistics,
};
pub use text::{fenced, neutral, visible};
pub use tokens::{CountCache, DEFAULT_TOKENIZER, SharedCounts, Tokenizer, reconcile, tokenizer};
pub use whatif::{
    GateJudgement, GateVerdict, PromptChange, RequestComparison, Survey, UnprovenChange, ValueChange, WhatIf, whatif,
};
