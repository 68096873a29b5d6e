//! The calls of a run as tool envelopes, folded from its journal.

use super::load::LoadedRun;
use deed_model::{
    CallAnswer, CallIntent, CallOutcome, RunEvent, TOOL_ENVELOPE_FORMAT, ToolApproval, ToolEnvelope, ToolOutcome,
    ToolRequest, ToolResult,
};
use deed_ports::JournalEntry;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The calls that the code of a run made, in order, and those that were refused.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunTools {
    /// The run.
    pub run_id: String,
    /// The calls, each with its result.
    pub calls: Vec<ToolEnvelope>,
    /// The calls that were refused before they had any effect.
    pub refused: Vec<RefusedCall>,
}

/// A call that was refused before it had any effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RefusedCall {
    /// The step.
    pub step_id: String,
    /// The code of the refusal.
    pub code: String,
    /// The reason.
    pub message: String,
    /// The time of the refusal, in RFC 3339.
    pub refused_at: String,
}

impl LoadedRun {
    /// Returns the calls of the run as tool envelopes. A call that a later attempt makes again is an envelope of its own.
    pub fn tools(&self) -> RunTools {
        let gates = CallGates::of(&self.entries);
        let mut tools = RunTools { run_id: self.run_id.clone(), calls: Vec::new(), refused: Vec::new() };
        // The place of the last envelope of each call.
        let mut last: BTreeMap<&str, usize> = BTreeMap::new();
        for JournalEntry { record, .. } in &self.entries {
            match &record.event {
                RunEvent::CallBegan { call } => {
                    last.insert(&call.key, tools.calls.len());
                    let call = begun(&self.run_id, call, &gates, &record.at);
                    tools.calls.push(ToolEnvelope { format: TOOL_ENVELOPE_FORMAT.to_owned(), call, result: None });
                }
                RunEvent::CallEnded { answer } => {
                    let open = last.get(answer.key.as_str()).and_then(|at| tools.calls.get_mut(*at));
                    if let Some(envelope) = open {
                        envelope.result = Some(ended(answer, &record.at));
                    }
                }
                RunEvent::CallRefused { step, failure } => tools.refused.push(RefusedCall {
                    step_id: step.clone(),
                    code: failure.code.to_string(),
                    message: failure.message.clone(),
                    refused_at: record.at.clone(),
                }),
                _ => {}
            }
        }
        tools
    }
}

/// The approval gates before calls, by the key of the call.
#[derive(Default)]
struct CallGates<'e> {
    /// The arguments that approvers were shown.
    shown: BTreeMap<&'e str, &'e Value>,
    approvals: BTreeMap<&'e str, Vec<ToolApproval>>,
}

impl<'e> CallGates<'e> {
    fn of(entries: &'e [JournalEntry]) -> Self {
        let mut gates = Self::default();
        for entry in entries {
            match &entry.record.event {
                RunEvent::GateOpened { subject, .. } => {
                    if let Some((key, call)) = key_of(&subject.gate_id).zip(subject.call.as_ref()) {
                        gates.shown.insert(key, &call.arguments);
                    }
                }
                RunEvent::GateDecided { signed } => {
                    let approval = &signed.approval;
                    if let Some(key) = key_of(&approval.gate_id) {
                        gates.approvals.entry(key).or_default().push(ToolApproval {
                            approval_id: approval.approval_id.clone(),
                            gate_id: approval.gate_id.clone(),
                            decision: approval.decision,
                            role: approval.role.clone(),
                        });
                    }
                }
                _ => {}
            }
        }
        gates
    }
}

/// Returns the key of the call that a gate stands before: `call:KEY`, or `call:KEY:1` for one of several.
fn key_of(gate_id: &str) -> Option<&str> {
    gate_id.strip_prefix("call:")?.split(':').next()
}

fn begun(run_id: &str, call: &CallIntent, gates: &CallGates<'_>, at: &str) -> ToolRequest {
    let CallIntent { step, key, tool, summary, repeats, .. } = call.clone();
    ToolRequest {
        run_id: run_id.to_owned(),
        step_id: step,
        tool_id: tool,
        arguments_hash: call.arguments_hash,
        arguments: gates.shown.get(key.as_str()).map(|arguments| (*arguments).clone()),
        occurrence: call.occurrence,
        approval_modes: call.approval_modes,
        approvals: gates.approvals.get(key.as_str()).cloned().unwrap_or_default(),
        reserved: call.reserved,
        repeatable: call.repeatable,
        repeats,
        summary,
        requested_at: at.to_owned(),
        call_id: key,
    }
}

fn ended(answer: &CallAnswer, at: &str) -> ToolResult {
    let outcome = match answer.outcome.clone() {
        CallOutcome::Result { value } => ToolOutcome::Ok { value },
        CallOutcome::Stored { sha256 } => ToolOutcome::Stored { sha256 },
        CallOutcome::Failed { kind, message } => ToolOutcome::Failed { kind, message },
    };
    ToolResult { outcome, spent: answer.spent, proof: answer.proof.clone(), answered_at: at.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::super::load::LoadedRun;
    use deed_canon::ContentHash;
    use deed_model::{RUN_EVENT_VERSION, RunEvent, RunRecord, ToolEnvelope};
    use deed_ports::JournalEntry;
    use deed_runtime::RunState;
    use serde_json::{Value, json};

    fn entry(seq: u64, event: Value) -> JournalEntry {
        let event: RunEvent = serde_json::from_value(event).unwrap();
        let record = RunRecord { version: RUN_EVENT_VERSION, at: format!("2026-11-15T00:00:0{seq}Z"), event };
        JournalEntry { seq, record, hash: ContentHash::of_bytes(&seq.to_be_bytes()) }
    }

    fn began(key: &str, modes: Option<Value>) -> Value {
        let mut call = json!({
            "step": "a", "key": key, "tool": "http.submit", "arguments_hash": ContentHash::of_bytes(b""), "occurrence": 0,
            "reserved": {}, "summary": "POST", "repeatable": false,
        });
        modes.into_iter().for_each(|modes| call["approval_modes"] = modes);
        json!({ "kind": "call_began", "call": call })
    }

    fn ended(key: &str, outcome: Value) -> Value {
        json!({ "kind": "call_ended", "answer": { "step": "a", "key": key, "outcome": outcome, "spent": {} } })
    }

    #[test]
    fn each_call_is_an_envelope_with_its_own_answer() {
        let modes =
            json!({ "declared_mode": "destructive", "approval_mode": "destructive", "safety_mode": "destructive" });
        let failed = json!({ "outcome": "failed", "kind": "unavailable", "message": "no answer" });
        let entries = vec![
            entry(0, began("call_1", Some(modes.clone()))),
            entry(1, ended("call_1", failed)),
            // A later attempt makes it again; a journal of before has no modes; the last one was never answered.
            entry(2, began("call_1", Some(modes))),
            entry(3, began("call_2", None)),
            entry(4, ended("call_1", json!({ "outcome": "result", "value": 7 }))),
        ];
        let run = LoadedRun { run_id: "one".to_owned(), entries, state: RunState::of(std::iter::empty()) };
        let tools = run.tools();
        let status = |envelope: &ToolEnvelope| {
            let result = serde_json::to_value(&envelope.result).unwrap();
            (envelope.call.call_id.clone(), result["outcome"]["status"].clone(), result["answered_at"].clone())
        };
        let found: Vec<_> = tools.calls.iter().map(status).collect();
        assert_eq!(
            found,
            [
                ("call_1".to_owned(), json!("failed"), json!("2026-11-15T00:00:01Z")),
                ("call_1".to_owned(), json!("ok"), json!("2026-11-15T00:00:04Z")),
                ("call_2".to_owned(), Value::Null, Value::Null),
            ]
        );
        assert!(tools.calls[1].call.approval_modes.is_some() && tools.calls[2].call.approval_modes.is_none());
    }

    #[test]
    fn gates_of_a_call_are_named_by_its_key() {
        assert_eq!(super::key_of("call:call_1"), Some("call_1"));
        assert_eq!(super::key_of("call:call_1:2"), Some("call_1"));
        assert_eq!(super::key_of("total-seen"), None);
    }
}
