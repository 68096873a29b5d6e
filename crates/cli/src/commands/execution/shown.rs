//! Runs, steps and gates as people and programs read them.

use super::membership::{KeptFileData, LapseData, NotKept, lapse_line};
use crate::conceal;
use crate::terminal::{self, Stream};
use crate::text::writeln;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use deed_app::runs::{Lapse, LearnedEgress, MissingRule, Status, head, lapses, resume_command};
use deed_app::workspaces::RunOutputs;
use deed_canon::{ChainHead, ContentHash, Envelope};
use deed_detect::CharClass;
use deed_diag::Invariant as _;
use deed_model::{
    ArtifactRecord, Budget, CompiledPlan, EgressRule, ForkedFrom, FrozenProfile, FrozenWorkspace, GateSubject,
    RunEvent, ServedTranscript, StepFailure, SubStep, ValidationRecord,
};
use deed_ports::JournalEntry;
use deed_runtime::{GateState, RunState, StepStatus, validation_remarks};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The number of remarks on a step that are shown; the journal has all.
const MOST_REMARKS: usize = 10;

pub(crate) use crate::text::count;

/// A run as it is shown: its events, and what is known beside them.
pub(crate) struct Shown<'s> {
    pub(crate) run_id: &'s str,
    pub(crate) state: &'s RunState,
    pub(crate) plan: Option<&'s CompiledPlan>,
    pub(crate) status: Status,
    /// The end of its journal.
    pub(crate) head: Option<ChainHead>,
    /// Runs whose outputs steps took over, by step.
    pub(crate) reused: BTreeMap<String, String>,
    /// The time at which it was submitted.
    pub(crate) submitted_at: Option<String>,
    /// The time at which it ended.
    pub(crate) ended_at: Option<String>,
    /// The times of the last attempt of each step, by step.
    pub(crate) times: BTreeMap<String, StepTimes>,
    /// Milliseconds that all attempts of its steps took.
    pub(crate) worked_ms: i64,
    /// The time at which the question that it waits for lapsed.
    pub(crate) lapsed_at: Option<String>,
    /// Approvals and questions that lapsed, by gate.
    pub(crate) lapses: BTreeMap<String, Lapse>,
    /// What became of its outputs in its workspace; none for a run outside of workspaces, and for one that has not ended.
    pub(crate) outputs: Option<RunOutputs>,
    /// Steps that were printed while the run was driven, and are not repeated in its text.
    pub(crate) printed: BTreeSet<String>,
}

/// The times of the last attempt of a step.
#[derive(Debug, Clone, Default)]
pub(crate) struct StepTimes {
    pub(crate) began: Option<String>,
    pub(crate) ended: Option<String>,
}

impl<'s> Shown<'s> {
    /// A run that was loaded.
    pub(crate) fn new(
        run_id: &'s str,
        state: &'s RunState,
        entries: &[JournalEntry],
        plan: Option<&'s CompiledPlan>,
        status: Status,
    ) -> Self {
        let head = entries.last().map(|last| ChainHead { seq: last.seq, hash: last.hash });
        let at = |kind: fn(&RunEvent) -> bool| {
            entries.iter().rfind(|entry| kind(&entry.record.event)).map(|entry| entry.record.at.clone())
        };
        Self {
            run_id,
            state,
            plan,
            status,
            head,
            reused: reused(entries),
            submitted_at: at(|event| matches!(event, RunEvent::Submitted { .. })),
            ended_at: at(|event| matches!(event, RunEvent::Ended { .. })),
            times: times(entries),
            worked_ms: worked_ms(entries),
            lapsed_at: None,
            lapses: lapses(entries),
            outputs: None,
            printed: BTreeSet::new(),
        }
    }
}

/// Returns the times of the last attempt of each step.
fn times(entries: &[JournalEntry]) -> BTreeMap<String, StepTimes> {
    let mut times: BTreeMap<String, StepTimes> = BTreeMap::new();
    for entry in entries {
        let at = Some(entry.record.at.clone());
        match &entry.record.event {
            RunEvent::StepStarted { step, .. } => {
                times.insert(step.clone(), StepTimes { began: at, ended: None });
            }
            RunEvent::StepSucceeded { step, .. } | RunEvent::StepFailed { step, .. } => {
                times.entry(step.clone()).or_default().ended = at;
            }
            _ => {}
        }
    }
    times
}

/// The milliseconds that the attempts of all steps took together, parked ones included.
fn worked_ms(entries: &[JournalEntry]) -> i64 {
    let mut began: BTreeMap<&str, &String> = BTreeMap::new();
    let mut total = 0;
    for entry in entries {
        match &entry.record.event {
            RunEvent::StepStarted { step, .. } => {
                began.insert(step, &entry.record.at);
            }
            RunEvent::StepSucceeded { step, .. }
            | RunEvent::StepFailed { step, .. }
            | RunEvent::StepParked { step, .. } => {
                let took = began.remove(step.as_str()).and_then(|began| elapsed_ms(began, &entry.record.at));
                total += took.unwrap_or(0).max(0);
            }
            _ => {}
        }
    }
    total
}

/// The milliseconds between two instants; none where one is not readable.
fn elapsed_ms(began: &str, ended: &str) -> Option<i64> {
    let instant = |text: &str| text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond);
    Some(instant(ended)? - instant(began)?)
}

/// Milliseconds as seconds with tenths.
fn tenths(ms: i64) -> String {
    let tenths = (ms + 50) / 100;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// The time between two instants, in words; none where one is not known.
fn elapsed(began: Option<&String>, ended: Option<&String>) -> Option<String> {
    Some(format!("{} s", tenths(elapsed_ms(began?, ended?)?)))
}

/// Runs whose outputs steps took over, by step: their receipts name them.
fn reused(entries: &[JournalEntry]) -> BTreeMap<String, String> {
    let taken = |entry: &JournalEntry| match &entry.record.event {
        RunEvent::StepSucceeded { step, receipt, .. } => Some((step.clone(), reused_from(receipt)?)),
        _ => None,
    };
    entries.iter().filter_map(taken).collect()
}

/// The run that a receipt names as where outputs were taken over from.
pub(crate) fn reused_from(receipt: &Envelope) -> Option<String> {
    let payload = STANDARD.decode(&receipt.payload).ok()?;
    let statement: Value = serde_json::from_slice(&payload).ok()?;
    statement.pointer("/predicate/execution/reused/run_id").and_then(Value::as_str).map(str::to_owned)
}

/// A word for where a step stands. Nothing runs, waits or is retried in a run that has ended, and nothing runs in one
/// that no process drives.
pub(crate) fn step_word(status: Status, step: &StepStatus, reused: bool) -> &'static str {
    let ended = matches!(status, Status::Ended(_));
    let driven = matches!(status, Status::Running(_));
    match step {
        StepStatus::Running | StepStatus::Parked { .. } | StepStatus::Again { .. } if ended => "stopped",
        StepStatus::Pending => "pending",
        StepStatus::Running if driven => "running",
        StepStatus::Running => "interrupted",
        StepStatus::Parked { .. } => "parked",
        StepStatus::Again { .. } if driven => "retrying",
        StepStatus::Again { .. } => "retry due",
        StepStatus::Succeeded if reused => "reused",
        StepStatus::Succeeded => "succeeded",
        StepStatus::Failed { .. } => "failed",
    }
}

/// A failure in lines.
pub(crate) fn failure(out: &mut String, failure: &StepFailure, indent: &str) {
    let _ = writeln!(out, "{indent}{}: {}", failure.code, plain(&failure.message));
    if !failure.causes.is_empty() {
        let causes: Vec<&str> = failure.causes.iter().map(|cause| cause.as_str()).collect();
        let _ = writeln!(out, "{indent}cause: {}", causes.join(", "));
    }
    if let Some(help) = &failure.help {
        let _ = writeln!(out, "{indent}help: {}", plain(help));
    }
    for line in failure.printed.iter().flat_map(|text| text.lines()) {
        let _ = writeln!(out, "{indent}| {}", plain(line));
    }
}

/// Text from code, without secrets and without anything that moves a terminal's cursor or turns the direction of what is read.
pub(crate) fn plain(text: &str) -> String {
    let moves = |c: char| matches!(CharClass::of(c), CharClass::Control | CharClass::Bidi) || c == '\n';
    conceal::text(text).chars().map(|c| if moves(c) { '\u{fffd}' } else { c }).collect()
}

/// Text of several lines, in one.
pub(crate) fn in_a_line(text: &str) -> String {
    text.lines().map(plain).collect::<Vec<_>>().join(" ⏎ ")
}

/// Renders the spending of a run. Budgets count whole seconds of each attempt, so that the time itself stands before.
fn spent(spent: &Budget, grant: &Budget, worked_ms: i64) -> String {
    let without_time = |budget: &Budget| Budget { wall_seconds: None, ..*budget };
    let counted = spent.wall_seconds.unwrap_or(0);
    let time = match grant.wall_seconds {
        Some(most) => Some(format!("{} seconds (counted as {counted} of {most})", tenths(worked_ms))),
        None if counted > 0 => Some(format!("{} seconds", tenths(worked_ms))),
        None => None,
    };
    let rest = Some(budget(&without_time(spent), &without_time(grant))).filter(|rest| !rest.is_empty());
    time.into_iter().chain(rest).collect::<Vec<_>>().join(", ")
}

/// A budget in words: what is spent of what.
pub(crate) fn budget(spent: &Budget, grant: &Budget) -> String {
    let units = |number: u64, name: &str| match name {
        "wall_seconds" => count(number, "second"),
        "tool_calls" => count(number, "tool call"),
        "governed_calls" => count(number, "governed call"),
        "model_tokens" => count(number, "model token"),
        other => format!("{number} {}", other.replace('_', " ")),
    };
    let both = spent.parts().into_iter().zip(grant.parts());
    let parts: Vec<String> = both
        .filter(|((_, spent), (_, grant))| spent.unwrap_or(0) > 0 || grant.is_some_and(|grant| grant > 0))
        .map(|((name, spent), (_, grant))| match grant {
            Some(grant) => format!("{} of {}", spent.unwrap_or(0), units(grant, name)),
            None => units(spent.unwrap_or(0), name),
        })
        .collect();
    parts.join(", ")
}

/// A run with its steps.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RunData {
    /// Its name.
    run_id: String,
    /// The name of its plan.
    plan: Option<String>,
    /// The hash of its compiled plan.
    plan_hash: Option<String>,
    /// Its status: `succeeded`, `failed`, `cancelled`, `running`, `waiting`, `approved`, `rejected`, `submitted` or
    /// `interrupted`.
    status: &'static str,
    /// The process that drives it.
    driven_by: Option<u32>,
    /// True where its end is signed.
    sealed: bool,
    /// The end of its journal.
    head: Option<ShownHead>,
    /// The command that resumes it; null where it has ended or is driven.
    resume: Option<String>,
    /// The time at which it was submitted.
    submitted_at: Option<String>,
    /// The time at which it ended.
    ended_at: Option<String>,
    /// The reason of its outcome.
    why: Option<String>,
    /// Its steps.
    steps: Vec<StepData>,
    /// The budget that it has spent.
    spent: Budget,
    /// Runs whose outputs steps took over, by step.
    reused: BTreeMap<String, String>,
    /// The budget that it may spend.
    grant: Option<Budget>,
    /// The profile that governs it, with the hash of its frozen snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<FrozenProfile>,
    /// The verdicts of validation packs; empty without a profile.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    validation: Vec<ValidationRecord>,
    /// The workspace that it belongs to, with the file versions that it reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    workspace: Option<FrozenWorkspace>,
    /// The actor that submitted it.
    actor: Option<String>,
    /// Actors that continued it although its journal lacked events.
    accepted_rollbacks: Vec<String>,
    /// The transcripts that answered its models in place of providers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replays: Vec<ServedTranscript>,
    /// The run and the step that it was forked from.
    forked: Option<ForkedFrom>,
    /// The gates that wait for a decision.
    gates: Vec<WaitingGate>,
    /// The last approval or question of each gate that lapsed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lapses: Vec<LapseData>,
    /// Rules that `--learn-egress` found to be needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    egress: Option<Vec<EgressRule>>,
    /// Requests that these rules do not cover.
    #[serde(skip_serializing_if = "Option::is_none")]
    egress_left_out: Option<Vec<UncoveredRequest>>,
    /// The files that it wrote to its workspace; null where it has not ended, or they are not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<Vec<KeptFileData>>,
    /// The reason why its outputs are not in its workspace although it has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_kept: Option<NotKept>,
}

impl RunData {
    /// Adds what became of the outputs of the run in its workspace.
    pub(crate) fn outputs(mut self, outputs: Option<&RunOutputs>) -> Self {
        match outputs {
            Some(RunOutputs::Kept(kept)) => self.kept = Some(kept.files.iter().map(KeptFileData::of).collect()),
            Some(RunOutputs::NotKept(error)) => self.not_kept = NotKept::of(error),
            None => {}
        }
        self
    }

    /// Adds the egress rules that a run in learning mode needed.
    pub(crate) fn learned(mut self, learned: &LearnedEgress) -> Self {
        let uncovered = |missing: &MissingRule| UncoveredRequest {
            step: missing.step.clone(),
            request: missing.request.clone(),
            why: missing.why.clone(),
        };
        self.egress = Some(learned.rules.clone());
        self.egress_left_out = Some(learned.missing.iter().map(uncovered).collect());
        self
    }
}

/// A step of a run.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct StepData {
    /// Its name.
    step: String,
    /// Its status: `pending`, `running`, `interrupted`, `parked`, `retrying`, `retry due`, `reused`, `succeeded`,
    /// `failed` or `stopped`.
    status: &'static str,
    /// The number of the last attempt; 0 before the first.
    attempt: u32,
    /// The run whose outputs it took over.
    reused_from: Option<String>,
    /// The time at which the last attempt began.
    began_at: Option<String>,
    /// The time at which the last attempt ended.
    ended_at: Option<String>,
    /// The files that it wrote; null before it was started.
    outputs: Option<Vec<ArtifactRecord>>,
    /// The number of its calls.
    calls: usize,
    /// The number of its calls of models, if it made any.
    #[serde(skip_serializing_if = "Option::is_none")]
    model_calls: Option<usize>,
    /// The failure.
    failure: Option<StepFailure>,
    /// The runs of code inside it.
    sub_steps: Vec<SubStep>,
    /// Remarks that did not fail it and should be reviewed.
    remarks: Vec<String>,
}

/// A gate that waits for a decision.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct WaitingGate {
    /// Its name.
    gate: String,
    /// The role that decides.
    role: String,
    /// The question.
    question: String,
}

/// A request that learned rules do not cover.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct UncoveredRequest {
    /// The step.
    step: String,
    /// The request.
    request: String,
    /// The reason why no rule covers it.
    why: String,
}

/// The end of a hash chain.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownHead {
    /// The place of its last event.
    pub(crate) seq: u64,
    /// The hash of that event.
    pub(crate) hash: String,
}

/// A signed payload, as DSSE writes it.
#[derive(Debug, Serialize)]
pub(crate) struct ShownEnvelope(pub(crate) Envelope);

impl JsonSchema for ShownEnvelope {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Envelope".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let signature = json_schema!({
            "type": "object",
            "required": ["keyid", "sig"],
            "properties": { "keyid": { "type": "string" }, "sig": { "type": "string" } },
        });
        json_schema!({
            "type": "object",
            "required": ["payloadType", "payload", "signatures"],
            "properties": {
                "payloadType": { "type": "string" },
                "payload": { "type": "string", "description": "The payload in base64." },
                "signatures": { "type": "array", "items": signature },
            },
        })
    }
}

/// Returns a run with its steps, for `--json`.
pub(crate) fn run_json(shown: &Shown<'_>) -> RunData {
    let Shown { run_id, state, plan, status, head, reused, submitted_at, ended_at, .. } = shown;
    let request = state.request.as_ref();
    let order: Vec<String> = match plan {
        Some(plan) => plan.steps.iter().map(|step| step.step_id.clone()).collect(),
        None => state.steps.keys().cloned().collect(),
    };
    let resumable = !matches!(status, Status::Ended(_) | Status::Running(_));
    let waiting = |gate: &GateState| WaitingGate {
        gate: gate.subject.gate_id.clone(),
        role: gate.subject.approver_role.clone(),
        question: gate.subject.question.clone(),
    };
    RunData {
        run_id: (*run_id).to_owned(),
        plan: request.map(|request| request.plan.clone()),
        plan_hash: request.map(|request| request.plan_hash.to_string()),
        status: status.as_str(),
        driven_by: status.process(),
        sealed: state.sealed,
        head: head.map(|head| ShownHead { seq: head.seq, hash: head.hash.to_string() }),
        resume: resumable.then(|| resume_command(run_id, request.map(|request| &request.options))),
        submitted_at: submitted_at.clone(),
        ended_at: ended_at.clone(),
        why: state.why.clone(),
        steps: order.iter().map(|id| step_json(shown, id)).collect(),
        spent: state.total_spent(),
        reused: reused.clone(),
        grant: request.map(|request| request.grant),
        profile: request.and_then(|request| request.profile.clone()),
        validation: state.validation.clone(),
        workspace: request.and_then(|request| request.workspace.clone()),
        actor: request.map(|request| request.actor.clone()),
        accepted_rollbacks: state.accepted_rollbacks.clone(),
        replays: state.replays.clone(),
        forked: request.and_then(|request| request.forked.clone()),
        gates: state.open_gates().map(waiting).collect(),
        lapses: shown.lapses.values().map(LapseData::of).collect(),
        egress: None,
        egress_left_out: None,
        kept: None,
        not_kept: None,
    }
    .outputs(shown.outputs.as_ref())
}

fn step_json(shown: &Shown<'_>, id: &str) -> StepData {
    let step = shown.state.step(id);
    let status = step.map(|step| step.status.clone()).unwrap_or_default();
    let from = shown.reused.get(id);
    let times = shown.times.get(id).cloned().unwrap_or_default();
    StepData {
        step: id.to_owned(),
        status: step_word(shown.status, &status, from.is_some()),
        attempt: step.map_or(0, |step| step.attempt),
        reused_from: from.cloned(),
        began_at: times.began,
        ended_at: times.ended,
        outputs: step.map(|step| step.outputs.clone()),
        calls: step.map_or(0, |step| step.calls.len()),
        model_calls: step.map(|step| step.models.len()).filter(|calls| *calls > 0),
        failure: match status {
            StepStatus::Failed { failure } | StepStatus::Again { failure, .. } => Some(failure),
            _ => None,
        },
        sub_steps: step.map(|step| step.sub_steps.clone()).unwrap_or_default(),
        remarks: step.map(|step| step.remarks.clone()).unwrap_or_default(),
    }
}

/// A run with its steps, in lines.
pub(crate) fn run_text(shown: &Shown<'_>) -> String {
    let Shown { run_id, state, plan, status, head, .. } = shown;
    let mut out = String::new();
    let request = state.request.as_ref();
    let name = request.map_or("", |request| request.plan.as_str());
    let lapsed = shown.lapsed_at.as_ref().filter(|_| matches!(status, Status::Waiting));
    let since = lapsed.map_or_else(String::new, |at| format!(" (lapsed at {at})"));
    let _ = writeln!(out, "{run_id}  {name}  {}{since}", terminal::state(Stream::Stdout, status.as_str()));
    if let Some(why) = &state.why {
        let _ = writeln!(out, "  {}", plain(why));
    }
    for by in &state.accepted_rollbacks {
        let _ = writeln!(out, "  {} continued with a journal that lacked events (`--accept-rollback`)", plain(by));
    }
    for served in &state.replays {
        let hash = terminal::hash(Stream::Stdout, &served.sha256);
        let _ = writeln!(out, "  replies of models served from the transcript {} {hash}", plain(&served.file));
    }
    if let Some(hint) = status.hint(run_id, request.map(|request| &request.options)) {
        let _ = writeln!(out, "  {hint}");
    }
    if lapsed.is_some() {
        let _ = writeln!(out, "  `{}` asks again", resume_command(run_id, request.map(|request| &request.options)));
    }
    let ids = plan.iter().flat_map(|plan| &plan.steps).map(|step| step.step_id.len());
    let width = ids.max().unwrap_or(0);
    for contract in plan.iter().flat_map(|plan| &plan.steps).filter(|step| !shown.printed.contains(&step.step_id)) {
        step_text(&mut out, shown, &contract.step_id, width);
    }
    remarks(&mut out, &validation_remarks(state));
    if let Some(request) = request {
        let spent = spent(&state.total_spent(), &request.grant, shown.worked_ms);
        if !spent.is_empty() {
            let _ = writeln!(out, "  spent {spent}");
        }
    }
    out.push_str(&super::membership::text(state));
    for (gate, lapse) in &shown.lapses {
        let _ = writeln!(out, "  {}: {}", plain(gate), lapse_line(lapse));
    }
    out.push_str(&super::membership::outputs(shown.outputs.as_ref()));
    if let Some(head) = head {
        // Short on a terminal; `--head` takes the whole one, which pipes and `--json` have.
        let written = head::written(Some(run_id), head);
        let _ = match terminal::is_terminal(Stream::Stdout) {
            true => {
                let hash = terminal::hash(Stream::Stdout, &head.hash);
                writeln!(out, "  head {run_id}@{}:{hash} (keep it to detect a rollback)", head.seq)
            }
            false => writeln!(out, "  head {written}"),
        };
    }
    if let Some(submitted) = &shown.submitted_at {
        let ended = shown.ended_at.as_ref().map_or_else(String::new, |ended| format!(", ended {ended}"));
        let took = elapsed(Some(submitted), shown.ended_at.as_ref());
        let took = took.map_or_else(String::new, |took| format!(" after {took}"));
        let _ = writeln!(out, "  submitted {submitted}{ended}{took}");
    }
    for gate in state.open_gates() {
        out.push_str(&gate_text(&gate.subject, None));
    }
    terminal::fit(Stream::Stdout, &out)
}

fn step_text(out: &mut String, shown: &Shown<'_>, id: &str, width: usize) {
    let step = shown.state.step(id);
    let status = step.map(|step| step.status.clone()).unwrap_or_default();
    let calls = step.map_or(0, |step| step.calls.len());
    let files = step.map_or(0, |step| step.outputs.len());
    let served = step.map_or(0, |step| step.calls.values().filter(|call| call.was_served()).count());
    let models = step.map_or(0, |step| step.models.len());
    let both = [(files, "file"), (calls, "call"), (models, "model call")];
    let mut about: Vec<String> =
        both.into_iter().filter(|(number, _)| *number > 0).map(|(number, one)| count(number, one)).collect();
    about.extend((served > 0).then(|| format!("{served} of them answered by earlier runs")));
    let from = shown.reused.get(id);
    about.extend(from.map(|run| format!("from {run}")));
    let word = step_word(shown.status, &status, from.is_some());
    let word = terminal::state(Stream::Stdout, &format!("{word:<10}"));
    let line = format!("  {word} {id:<width$}  {}", about.join(", "));
    let _ = writeln!(out, "{}", line.trim_end());
    match &status {
        StepStatus::Failed { failure: last } | StepStatus::Again { failure: last, .. } => {
            failure(out, last, "             ");
        }
        StepStatus::Parked { gate_id } if shown.state.ended.is_none() => {
            let _ = writeln!(out, "             waits at {gate_id}");
        }
        _ => {}
    }
    remarks(out, step.map_or(&[], |step| &step.remarks));
}

/// Appends remarks, which did not fail a step and need attention.
fn remarks(out: &mut String, all: &[String]) {
    for remark in all.iter().take(MOST_REMARKS) {
        let _ = writeln!(out, "             remark: {}", plain(remark));
    }
    if all.len() > MOST_REMARKS {
        let more = all.len() - MOST_REMARKS;
        let least = if all.len() >= deed_runtime::MOST_REMARKS { "at least " } else { "" };
        let _ = writeln!(out, "             remark: and {least}{more} more; `deed runs events` has all");
    }
}

/// Renders the question of a gate: everything that is hashed, and nothing else.
pub(crate) fn gate_text(subject: &GateSubject, hash: Option<&ContentHash>) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "gate {}  for {}", subject.gate_id, subject.approver_role);
    // A line of the question must not look like a line of ours.
    let mark = if subject.question.contains('\n') { "| " } else { "" };
    for line in subject.question.lines() {
        let _ = writeln!(out, "  {mark}{}", plain(line));
    }
    let _ = writeln!(out, "  run       {}", subject.run_id);
    for contract in &subject.contracts {
        let _ = writeln!(out, "  starts    {} ({})", contract.step, in_a_line(&contract.label));
        for effect in &contract.effects {
            let _ = writeln!(out, "  effect    {}", in_a_line(effect));
        }
        for rule in &contract.reaches {
            let _ = writeln!(out, "  reaches   {}", plain(rule));
        }
        let _ = writeln!(out, "  contract  {}", terminal::hash(Stream::Stdout, &contract.contract_hash));
    }
    if let Some(call) = &subject.call {
        let _ =
            writeln!(out, "  call      {}  (tool {})", call.tool, terminal::hash(Stream::Stdout, &call.tool_digest));
        let arguments = serde_json::to_string_pretty(&call.arguments).invariant("arguments were read as JSON");
        for line in arguments.lines() {
            let _ = writeln!(out, "    {line}");
        }
    }
    for file in &subject.evidence {
        let hash = terminal::hash(Stream::Stdout, &file.sha256);
        let _ = writeln!(out, "  rests on  {}  {}  {hash}", plain(&file.path), count(file.bytes, "byte"));
    }
    let _ = writeln!(out, "  until     {}", subject.expires_at);
    if let Some(hash) = hash {
        let _ = writeln!(out, "  hash      {}", terminal::hash(Stream::Stdout, hash));
    }
    terminal::fit(Stream::Stdout, &out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Budgets count whole seconds of each attempt; what is shown first is the time that it took.
    #[test]
    fn seconds_are_shown_with_tenths() {
        let used = Budget { wall_seconds: Some(2), governed_calls: Some(3), ..Budget::default() };
        assert_eq!(spent(&used, &Budget::default(), 740), "0.7 seconds, 3 governed calls");
        let grant = Budget { wall_seconds: Some(60), ..Budget::default() };
        assert_eq!(spent(&used, &grant, 960), "1.0 seconds (counted as 2 of 60), 3 governed calls");
        assert_eq!(spent(&Budget::default(), &Budget::default(), 0), "");
    }
}
