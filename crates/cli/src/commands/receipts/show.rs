//! `deed receipts show`: the receipts of a run, decoded.

use crate::args::Global;
use crate::commands::execution::shown::{ShownEnvelope, count, plain};
use crate::output::Success;
use crate::terminal::{self, Stream};
use crate::text::writeln;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use deed_app::AppError;
use deed_app::runs::{load, rolled_back};
use deed_canon::Envelope;
use deed_model::RunEvent;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;

/// Show the receipts of a run, or of one of its steps.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed receipts show last
  deed receipts show last report --json")]
pub(crate) struct Show {
    /// Run: its name, a unique prefix of it, or `last`.
    #[arg(value_name = "RUN")]
    run: String,
    /// Show only receipts of this step.
    #[arg(value_name = "STEP")]
    step: Option<String>,
    /// Print the envelopes as they were signed, for other programs.
    #[arg(long)]
    envelopes: bool,
}

/// A receipt of a run.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownReceipt {
    /// The place of its event in the journal.
    seq: u64,
    /// Its sort: `preflight`, `postflight`, `validation`, `decision`, `checkpoint` or `seal`.
    receipt: &'static str,
    /// The step; null for receipts of the whole run.
    step: Option<String>,
    /// The envelope as it was signed, with `--envelopes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    envelope: Option<ShownEnvelope>,
    /// The in-toto statement, without `--envelopes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    statement: Option<ShownStatement>,
}

/// An in-toto statement.
#[derive(Debug, Serialize)]
pub(crate) struct ShownStatement(Value);

impl JsonSchema for ShownStatement {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Statement".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let subject = json_schema!({
            "type": "object",
            "required": ["name", "digest"],
            "properties": {
                "name": { "type": "string" },
                "digest": { "type": "object", "additionalProperties": { "type": "string" } },
            },
        });
        json_schema!({
            "type": "object",
            "required": ["_type", "subject", "predicateType", "predicate"],
            "additionalProperties": false,
            "properties": {
                "_type": { "type": "string" },
                "subject": { "type": "array", "items": subject },
                "predicateType": { "type": "string", "description": "Type of the predicate, with its version." },
                "predicate": {
                    "type": "object",
                    "additionalProperties": true,
                    "description": "What is stated, as the schema of its type describes it.",
                },
            },
        })
    }
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (home, _, loaded) = load(&global.session(), &self.run)?;
        if let Some(step) = &self.step {
            loaded.require_step(step)?;
        }
        let mut text = String::new();
        let mut data = Vec::new();
        for entry in &loaded.entries {
            let Some((what, step, envelope)) = receipt(&entry.record.event) else { continue };
            if self.step.as_deref().is_some_and(|wanted| step != Some(wanted)) {
                continue;
            }
            let payload = STANDARD.decode(&envelope.payload).map_err(AppError::internal)?;
            let statement: Value = serde_json::from_slice(&payload).map_err(AppError::internal)?;
            if self.envelopes {
                let _ = writeln!(text, "{}", serde_json::to_string(envelope).map_err(AppError::internal)?);
            } else {
                summary(&mut text, what, &statement, envelope);
            }
            data.push(ShownReceipt {
                seq: entry.seq,
                receipt: what,
                step: step.map(str::to_owned),
                envelope: self.envelopes.then(|| ShownEnvelope(envelope.clone())),
                statement: (!self.envelopes).then_some(ShownStatement(statement)),
            });
        }
        // Envelopes are for other programs.
        let text = match self.envelopes {
            true => text,
            false => terminal::fit(Stream::Stdout, &terminal::with_hashes(Stream::Stdout, &text)),
        };
        let mut success = Success::new(data, text).report(rolled_back(&home)?);
        success.verbatim = self.envelopes;
        Ok(success)
    }
}

fn receipt(event: &RunEvent) -> Option<(&'static str, Option<&str>, &Envelope)> {
    match event {
        RunEvent::Preflighted { step, receipt, .. } => Some(("preflight", Some(step), receipt)),
        RunEvent::StepSucceeded { step, receipt, .. } => Some(("postflight", Some(step), receipt)),
        RunEvent::StepFailed { step, receipt: Some(receipt), .. } => Some(("postflight", Some(step), receipt)),
        RunEvent::Validated { receipt, .. } => Some(("validation", None, receipt)),
        RunEvent::GateDecided { signed } => Some(("decision", None, &signed.envelope)),
        RunEvent::Checkpointed { checkpoint } => Some(("checkpoint", None, checkpoint)),
        RunEvent::Sealed { seal } => Some(("seal", None, seal)),
        _ => None,
    }
}

/// One statement in lines: its head, its files, its execution, what was decided, and its checks.
fn summary(out: &mut String, what: &str, statement: &Value, envelope: &Envelope) {
    let signers: Vec<&str> = envelope.signatures.iter().map(|signature| signature.keyid.as_str()).collect();
    let of = ["/predicate/of/step_id", "/predicate/gate_id", "/predicate/run_id"];
    let of = of.into_iter().map(|pointer| word(statement, pointer)).find(|name| !name.is_empty()).unwrap_or("");
    let _ = writeln!(out, "{what} {of}  signed by {}", signers.join(", "));
    files(out, statement);
    execution(out, statement);
    let failed = word(statement, "/predicate/failure/code");
    if !failed.is_empty() {
        let causes: Vec<&str> = list(statement, "/predicate/failure/causes").filter_map(Value::as_str).collect();
        let class = word(statement, "/predicate/failure/class");
        let _ = writeln!(out, "  {:<8} {failed} ({class}) {}", "failed", causes.join(", "));
    }
    let from = word(statement, "/predicate/execution/reused/run_id");
    if !from.is_empty() {
        let _ = writeln!(out, "  {:<8} from {from}: {}", "taken", word(statement, "/predicate/execution/reused/why"));
    }
    let decision = word(statement, "/predicate/decision");
    if !decision.is_empty() {
        let (by, role) = (word(statement, "/predicate/approver"), word(statement, "/predicate/role"));
        let _ = writeln!(out, "  {:<8} by {by} as {role}, at {}", decision, word(statement, "/predicate/decided_at"));
    }
    super::validation::lines(out, statement);
    checks(out, statement);
}

/// The text at a place of a statement; the kinds of statements have different members.
fn word<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or("")
}

/// The items at a place of a statement.
fn list<'v>(value: &'v Value, pointer: &str) -> impl Iterator<Item = &'v Value> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

/// The inputs, outputs, files that were absent, and sets.
fn files(out: &mut String, statement: &Value) {
    for (what, pointer) in [("input", "/predicate/inputs"), ("output", "/predicate/outputs")] {
        for file in list(statement, pointer) {
            let rows = file.pointer("/found/summary/table/rows").and_then(Value::as_u64);
            let rows = rows.map_or_else(String::new, |rows| format!(", {}", count(rows, "row")));
            let bytes =
                file.pointer("/found/size_bytes").or(file.get("size_bytes")).and_then(Value::as_u64).unwrap_or(0);
            let hash = file.pointer("/found/sha256").or(file.get("sha256")).and_then(Value::as_str).unwrap_or("");
            let _ = writeln!(out, "  {what:<8} {}  {}{rows}  {hash}", word(file, "/path"), count(bytes, "byte"));
        }
    }
    for file in list(statement, "/predicate/absent") {
        let _ = writeln!(out, "  {:<8} {}", "absent", word(file, "/path"));
    }
    for set in list(statement, "/predicate/sets") {
        let (path, hash) = (word(set, "/path"), word(set, "/manifest"));
        let files = set.get("files").and_then(Value::as_u64).unwrap_or(0);
        let bytes = set.get("bytes").and_then(Value::as_u64).unwrap_or(0);
        let _ = writeln!(out, "  {:<8} {path}  {}, {}  {hash}", "set", count(files, "file"), count(bytes, "byte"));
    }
}

/// The program that ran, what an adapter noted, and the executions of a step's program.
fn execution(out: &mut String, statement: &Value) {
    let backend = word(statement, "/predicate/execution/backend");
    let ended = word(statement, "/predicate/execution/ended");
    if !ended.is_empty() {
        let execution =
            ["program", "sandbox/obtained"].map(|part| word(statement, &format!("/predicate/execution/{part}")));
        let with: Vec<&str> = execution.into_iter().filter(|text| !text.is_empty()).collect();
        let with = if with.is_empty() { String::new() } else { format!(" ({})", with.join(", ")) };
        let _ = writeln!(out, "  {:<8} on {backend}{with}: {ended}", "ran");
    }
    if backend == "native" {
        let notes = list(statement, "/predicate/execution/printed");
        for line in notes.filter_map(|note| note.get("line")?.as_str()) {
            let _ = writeln!(out, "  {:<8} {}", "adapted", plain(line));
        }
    }
    for run in list(statement, "/predicate/execution/sub_steps") {
        let number = |key: &str| run.get(key).and_then(Value::as_i64);
        let exit = number("exit_code").map_or_else(String::new, |code| format!(", exit code {code}"));
        let ok = if run.get("ok") == Some(&Value::Bool(true)) { "ok" } else { "not ok" };
        let (sequence, ms) = (number("sequence").unwrap_or(0), number("duration_ms").unwrap_or(0));
        let (sort, code) = (word(run, "/type"), word(run, "/code"));
        let _ = writeln!(out, "  {:<8} {sequence} {sort} {code}: {ok}{exit}, {ms} ms", "sub-step");
    }
}

/// The number of checks that hold, and each that does not.
fn checks(out: &mut String, statement: &Value) {
    let (held, not): (Vec<_>, Vec<_>) =
        list(statement, "/predicate/checks").partition(|check| check.get("holds") == Some(&Value::Bool(true)));
    if !held.is_empty() {
        let hold = if held.len() == 1 { "1 holds".to_owned() } else { format!("{} hold", held.len()) };
        let _ = writeln!(out, "  {:<8} {hold}", "checks");
    }
    for check in not {
        let (name, path, found) = (word(check, "/check"), word(check, "/path"), word(check, "/found"));
        let _ = writeln!(out, "  {:<8} {name} {path}: {found}", "not");
    }
}
