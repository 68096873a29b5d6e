//! The tools that code may call, one file each: what they take, what they can cost, and what they do.

mod evaluate;
mod http;
mod meter;
mod progress;
mod put;

use evaluate::Evaluation;
pub(crate) use evaluate::JudgedItem;
pub(crate) use progress::{read as read_progress, write_down as write_progress};

use super::error::BridgeError;
use crate::attempt::Attempt;
use crate::budget::Reservation;
use crate::conceal::{reveals, shown_request};
use deed_egress::EffectIdentity;
use deed_egress::FetchRequest;
use deed_model::{ApprovalMode, BridgeErrorKind, Budget, CallGate, StepFailure};
use deed_reach::Rules;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    /// Reads from a host.
    HttpFetch,
    /// Sends to a host.
    HttpSubmit,
    /// Judges a bundle of evidence by a rubric.
    ArtifactEvaluate,
    /// Writes a file of the contract.
    ArtifactPut,
    /// Reports the progress of the code.
    ProgressReport,
}

impl Tool {
    /// All of them.
    pub(crate) const ALL: [Self; 5] =
        [Self::HttpFetch, Self::HttpSubmit, Self::ArtifactEvaluate, Self::ArtifactPut, Self::ProgressReport];

    /// Its name.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::HttpFetch => "http.fetch",
            Self::HttpSubmit => "http.submit",
            Self::ArtifactEvaluate => "artifact.evaluate",
            Self::ArtifactPut => "artifact.put",
            Self::ProgressReport => "progress.report",
        }
    }

    /// Returns the capability that a contract has to allow for it.
    pub(crate) fn capability(self) -> Option<&'static str> {
        match self {
            Self::HttpFetch => Some("http.fetch"),
            Self::HttpSubmit => Some("http.submit"),
            Self::ArtifactEvaluate => Some("operator.artifact.evaluate"),
            Self::ArtifactPut => Some("operator.artifact.write"),
            Self::ProgressReport => None,
        }
    }

    /// The most that it can do.
    pub(crate) fn declared_mode(self) -> ApprovalMode {
        match self {
            Self::ProgressReport => ApprovalMode::ReadOnly,
            Self::ArtifactPut => ApprovalMode::LocalWrite,
            // An evaluation may ask a model elsewhere.
            Self::HttpFetch | Self::ArtifactEvaluate => ApprovalMode::Network,
            Self::HttpSubmit => ApprovalMode::Destructive,
        }
    }

    /// What one call does: an evaluation by rules alone stays in this process and changes nothing.
    pub(crate) fn effective_mode(self, prepared: &PreparedCall) -> ApprovalMode {
        match self {
            Self::ArtifactEvaluate if prepared.is_local() => ApprovalMode::ReadOnly,
            other => other.declared_mode(),
        }
    }

    /// The strongest mode among the tools that a contract allows.
    pub(crate) fn ceiling(allows: impl Fn(&str) -> bool) -> ApprovalMode {
        let allowed = Self::ALL.into_iter().filter(|tool| tool.capability().is_none_or(&allows));
        allowed.map(Self::declared_mode).max().unwrap_or(ApprovalMode::ReadOnly)
    }

    /// The tool of a name: its own, or that of its capability.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.id() == name || tool.capability() == Some(name))
    }

    /// Returns whether a gate of this name stands before it. One before `http.fetch` stands before every request; one before
    /// `http.submit` before those that change something.
    pub(crate) fn is_gated_by(self, name: &str) -> bool {
        let gated = Self::named(name);
        gated == Some(self) || (gated == Some(Self::HttpFetch) && self == Self::HttpSubmit)
    }

    /// Returns the tool that a call means. A request that changes something is `http.submit`, under either name.
    pub(crate) fn meant(name: &str, arguments: &Value) -> Option<Self> {
        let method = arguments.get("method").and_then(Value::as_str).unwrap_or("GET");
        match Self::named(name)? {
            Self::HttpFetch | Self::HttpSubmit if http::changes_nothing(method) => Some(Self::HttpFetch),
            Self::HttpFetch | Self::HttpSubmit => Some(Self::HttpSubmit),
            other => Some(other),
        }
    }
}

/// Returns whether this runtime provides a capability: a tool of the bridge has it, or it is the sandbox itself.
pub fn implements(capability: &str) -> bool {
    capability == "sandbox.session" || Tool::ALL.into_iter().any(|tool| tool.capability() == Some(capability))
}

/// Returns whether the method or the host of a request holds a secret, as it was written: in other cases it would not be
/// recognised where it is recorded.
pub(crate) fn is_revealing(name: &str, arguments: &Value) -> bool {
    let part = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    match Tool::named(name) {
        Some(Tool::HttpFetch | Tool::HttpSubmit) => {
            reveals(part("method")) || reveals(deed_egress::written_host(part("url")))
        }
        Some(Tool::ArtifactEvaluate | Tool::ArtifactPut | Tool::ProgressReport) | None => false,
    }
}

/// Normalizes the arguments of a call.
pub(crate) fn normal(rules: &Rules, name: &str, arguments: Value) -> Value {
    match Tool::named(name) {
        Some(Tool::HttpFetch | Tool::HttpSubmit) => http::normal(rules, arguments),
        Some(Tool::ArtifactEvaluate | Tool::ArtifactPut | Tool::ProgressReport) | None => arguments,
    }
}

/// Returns a short text for what was asked for.
pub(crate) fn asked(tool: Tool, arguments: &Value) -> String {
    let part = |name: &str| arguments.get(name).and_then(Value::as_str);
    match (tool, part("url")) {
        (Tool::HttpFetch | Tool::HttpSubmit, Some(url)) => shown_request(part("method").unwrap_or("GET"), url),
        _ => tool.id().to_owned(),
    }
}

/// Returns the definition of a tool. An approval is bound to its hash.
pub(crate) fn definition(tool: Tool) -> Value {
    let (purpose, arguments) = match tool {
        Tool::HttpFetch | Tool::HttpSubmit => http::DEFINITION,
        Tool::ArtifactEvaluate => evaluate::DEFINITION,
        Tool::ArtifactPut => put::DEFINITION,
        Tool::ProgressReport => progress::DEFINITION,
    };
    let arguments: Map<String, Value> =
        arguments.iter().map(|(name, what)| ((*name).to_owned(), json!(what))).collect();
    json!({ "tool": tool.id(), "version": 1, "purpose": purpose, "arguments": arguments })
}

/// A call that can be made.
#[derive(Debug)]
pub(crate) struct PreparedCall {
    pub(crate) work: Work,
    /// The most that it can cost, apart from being a call.
    pub(crate) most: Budget,
    /// True if making it twice does no harm.
    pub(crate) repeatable: bool,
    /// A summary in one line.
    pub(crate) summary: String,
    /// The identity of its effect, if it is a request that may change something.
    pub(crate) effect: Option<EffectIdentity>,
    /// True if a verdict against it fails the step.
    pub(crate) blocks: bool,
    /// The identity of the call, where its arguments do not say all of it.
    pub(crate) identity: Option<Value>,
    /// The item that is judged, if it is an evaluation.
    pub(crate) item: Option<JudgedItem>,
    /// Gates that a context pack demands before the call, besides those of the contract.
    pub(crate) escalations: Vec<CallGate>,
}

impl PreparedCall {
    /// Returns whether it is local: nothing leaves, no gate is asked, and making it again gives the same. Then its
    /// beginning says nothing that its end does not.
    pub(crate) fn is_local(&self) -> bool {
        match &self.work {
            Work::Put { .. } => true,
            Work::Evaluate(work) => !work.asks_a_model() && self.most.model_tokens == Some(0),
            Work::Fetch(_) | Work::Progress { .. } => false,
        }
    }
}

/// The work of a call.
#[derive(Debug)]
pub(crate) enum Work {
    Fetch(FetchRequest),
    Evaluate(Box<Evaluation>),
    Put { path: String, bytes: Vec<u8> },
    Progress { done: u64, total: Option<u64>, note: Option<String> },
}

/// The result of a call.
#[derive(Debug)]
pub(crate) struct CallResult {
    pub(crate) value: Value,
    pub(crate) spent: Budget,
    /// The part of it that was settled before.
    pub(crate) settled: Budget,
    pub(crate) proof: Value,
}

/// A call that failed.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) error: BridgeError,
    pub(crate) spent: Budget,
    /// The part of it that was settled before.
    pub(crate) settled: Budget,
    /// The failure of the step, if its code fails over the call.
    pub(crate) failure: Option<StepFailure>,
}

/// Reads the arguments of a call.
pub(crate) fn prepare(attempt: &Attempt, tool: Tool, arguments: &Value) -> Result<PreparedCall, BridgeError> {
    match tool {
        Tool::HttpFetch | Tool::HttpSubmit => http::prepare(attempt, arguments),
        Tool::ArtifactEvaluate => evaluate::prepare(attempt, arguments),
        Tool::ArtifactPut => put::prepare(attempt, arguments),
        Tool::ProgressReport => progress::prepare(arguments),
    }
}

/// The item that a call would have had judged under `block`, if it is an evaluation that was not prepared.
pub(crate) fn unjudged(attempt: &Attempt, tool: Tool, arguments: &Value) -> Option<JudgedItem> {
    if tool == Tool::ArtifactEvaluate { evaluate::unprepared(attempt, arguments) } else { None }
}

/// Makes a call. What it needs beyond its reservation is reserved in `more`, until it is settled.
pub(crate) fn execute(
    attempt: &Arc<Attempt>,
    prepared: &PreparedCall,
    key: &str,
    more: &mut Vec<Reservation>,
) -> Result<CallResult, Box<Failed>> {
    match &prepared.work {
        Work::Fetch(request) => http::execute(attempt, request, prepared.repeatable, key, more),
        Work::Evaluate(work) => evaluate::execute(attempt, work, prepared.blocks, key),
        Work::Put { path, bytes } => put::execute(attempt, path, bytes),
        Work::Progress { done, total, note } => progress::execute(attempt, *done, *total, note.clone()),
    }
}

/// The arguments as an object that has no members but these.
fn members<'a>(arguments: &'a Value, known: &[(&str, &str)]) -> Result<&'a Map<String, Value>, BridgeError> {
    let members = arguments
        .as_object()
        .ok_or_else(|| BridgeError::new(BridgeErrorKind::BadArguments, "arguments are an object"))?;
    let name = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
    match members.keys().find(|key| !known.iter().any(|(known, _)| *known == **key)) {
        Some(unknown) => {
            let all: Vec<String> = known.iter().map(|(known, _)| name(known)).collect();
            let message =
                format!("unknown argument `{}`; the arguments are {}", unknown.escape_debug(), all.join(", "));
            Err(BridgeError::new(BridgeErrorKind::BadArguments, message))
        }
        None => Ok(members),
    }
}

fn text<'a>(members: &'a Map<String, Value>, name: &str) -> Result<Option<&'a str>, BridgeError> {
    match members.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(BridgeError::new(BridgeErrorKind::BadArguments, format!("`{name}` is a text"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The compiler warns of call gates that read other arguments than these.
    #[test]
    fn the_compiler_knows_the_arguments_of_every_capability() {
        for tool in Tool::ALL {
            let Some(capability) = tool.capability() else { continue };
            let mut known: Vec<&str> = deed_plan::call_arguments(capability).unwrap_or_default().to_vec();
            known.sort_unstable();
            let defined = definition(tool);
            let defined: Vec<&str> =
                defined["arguments"].as_object().into_iter().flat_map(|all| all.keys().map(String::as_str)).collect();
            assert_eq!(known, defined, "{capability}");
        }
    }
}
