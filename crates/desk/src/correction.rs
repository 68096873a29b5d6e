//! The corrector: a payload that its contract refuses becomes a call, and its answer proposals for the ladder.
//!
//! The answer is data: values for places that were listed, and findings. Whether a proposal is applied is decided by the ladder,
//! which lets a value take the place of a value and nothing else.

use crate::answer::{AnswerFault, read};
use crate::ask::{Ask, Material, PreparedAsk, ReplyForm};
use crate::desk::Desk;
use crate::quote::{plain, says_something, shown, stands_in};
use crate::refusal::DeskRefusal;
use deed_canon::ContentHash;
use deed_model::{
    BindingSlot, ModelConsumer, PatchOp, PatchValue, Proposal, Proposals, ProposedFinding, RuleWeight, Rung,
};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

const SLOT: BindingSlot = BindingSlot::Consumer(ModelConsumer::Corrector);
/// The most places that a model is shown.
const CORRECTION_PLACES: usize = 100;
/// The longest message of a finding, in characters.
const LONGEST_MESSAGE: usize = 400;

/// A payload that a model corrects.
#[derive(Debug, Clone, PartialEq)]
pub struct Correction<'a> {
    /// The contract of the step, as text.
    pub contract: &'a str,
    /// The hash of the bytes that entered.
    pub artifact: ContentHash,
    /// The path of the artifact.
    pub path: &'a str,
    /// The payload, as far as the ladder read it.
    pub payload: &'a Value,
    /// The schema and the rules that it is held to, as text.
    pub rules: &'a str,
    /// The places that may be changed.
    pub places: Vec<CorrectablePlace<'a>>,
    /// The rung that judges value patches.
    pub rung: Rung,
    /// True if findings are asked for too.
    pub finds: bool,
    /// What the payload was made from.
    pub sources: Vec<CorrectionSource<'a>>,
    /// Files that it was made from and the model does not read, each with the reason.
    pub left_out: &'a [String],
    /// The most proposals.
    pub most_edits: usize,
}

/// A place of a payload.
#[derive(Debug, Clone, PartialEq)]
pub struct CorrectablePlace<'a> {
    /// Its JSON Pointer.
    pub pointer: String,
    /// Its value.
    pub value: &'a Value,
    /// What is wrong with it; empty if nothing was found.
    pub wrong: String,
}

/// A file that a payload was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct CorrectionSource<'a> {
    /// Its path.
    pub path: &'a str,
    /// Its content: a text, or any JSON.
    pub content: &'a Value,
}

impl Correction<'_> {
    fn reference(index: usize) -> String {
        format!("tool:correction.source:{}", index + 1)
    }

    /// Returns the form of an answer.
    ///
    /// # Errors
    /// It makes no schema.
    pub fn form(&self) -> Result<ReplyForm, DeskRefusal> {
        let proposal = json!({
            "type": "object", "required": ["path", "value", "source", "confidence"], "additionalProperties": false,
            "properties": {
                "path": { "type": "string" }, "value": { "type": ["string", "number", "boolean", "null"] },
                "source": { "type": "string" }, "confidence": { "type": "number", "minimum": 0, "maximum": 1 },
            },
        });
        let finding = json!({
            "type": "object", "required": ["path", "message", "severity"], "additionalProperties": false,
            "properties": {
                "path": { "type": "string" }, "message": { "type": "string" },
                "severity": { "type": "string", "enum": ["error", "warning"] },
            },
        });
        let schema = json!({
            "type": "object", "required": ["proposals", "findings"], "additionalProperties": false,
            "properties": {
                "proposals": { "type": "array", "items": proposal }, "findings": { "type": "array", "items": finding },
            },
        });
        ReplyForm::new("correction", schema)
    }

    /// Prepares the call.
    ///
    /// # Errors
    /// The profile binds no model to the corrector, or the pack refuses.
    pub fn prepare(&self, desk: &Desk, form: &ReplyForm, native_schema: bool) -> Result<PreparedAsk, DeskRefusal> {
        let payload = Material {
            reference: "tool:correction.payload:1".to_owned(),
            source: self.path.to_owned(),
            content: self.payload.clone(),
        };
        let source = |(index, source): (usize, &CorrectionSource<'_>)| Material {
            reference: Self::reference(index),
            source: source.path.to_owned(),
            content: source.content.clone(),
        };
        let sources = self.sources.iter().enumerate().map(source);
        let material: Vec<Material> = std::iter::once(payload).chain(sources).collect();
        let request_id = format!("correction of {}", self.artifact);
        desk.ask(&Ask {
            slot: SLOT,
            contract: self.contract,
            request_id: &request_id,
            message: None,
            facts: self.facts(),
            material: &material,
            variables: self.variables(),
            attachments: Vec::new(),
            form,
            native_schema,
        })
    }

    /// The facts that rules of a pack may read.
    fn facts(&self) -> Map<String, Value> {
        let facts =
            [("path", json!(self.path)), ("places", json!(self.places.len())), ("sources", json!(self.sources.len()))];
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn variables(&self) -> BTreeMap<String, String> {
        let mut places = String::new();
        for place in &self.places {
            let wrong = if place.wrong.is_empty() { "nothing was found" } else { &place.wrong };
            let _ = writeln!(places, "{}: {} ({wrong})", place.pointer, place.value);
        }
        let sources = self.sources.iter().enumerate();
        let sources =
            sources.map(|(index, source)| format!("{}, in the context under {}", source.path, Self::reference(index)));
        let sources: Vec<String> = sources.chain(self.left_out.iter().cloned()).collect();
        BTreeMap::from([
            ("most_edits".to_owned(), self.most_edits.to_string()),
            ("contract".to_owned(), self.rules.to_owned()),
            ("places".to_owned(), if places.is_empty() { "none".to_owned() } else { places.trim_end().to_owned() }),
            ("source".to_owned(), if sources.is_empty() { "none".to_owned() } else { sources.join("\n") }),
        ])
    }

    /// Reads an answer: the proposals that the ladder is given.
    ///
    /// # Errors
    /// The reason why it cannot be used, in words that the model can act on.
    pub fn read(&self, form: &ReplyForm, text: &str) -> Result<Proposals, AnswerFault> {
        let value = read(form, text)?;
        let listed = |name: &str| value.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
        let (values, findings) = (listed("proposals"), listed("findings"));
        if values.len() > self.most_edits || findings.len() > CORRECTION_PLACES {
            return Err(AnswerFault(format!(
                "it has more than {} proposals or {CORRECTION_PLACES} findings",
                self.most_edits
            )));
        }
        let mut seen = BTreeSet::new();
        let mut proposals = Vec::new();
        for (number, entry) in (1..).zip(&values) {
            proposals.push(self.value(number, entry, &mut seen)?);
        }
        for (number, entry) in (1..).zip(findings.iter().filter(|_| self.finds)) {
            proposals.push(self.finding(number, entry)?);
        }
        Ok(Proposals { proposals })
    }

    fn value(&self, number: usize, entry: &Value, seen: &mut BTreeSet<String>) -> Result<Proposal, AnswerFault> {
        let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
        let path = text("path");
        let Some(place) = self.places.iter().find(|place| place.pointer == path) else {
            return Err(AnswerFault(format!("`{}` is not one of the places", shown(path))));
        };
        if !seen.insert(path.to_owned()) {
            return Err(AnswerFault(format!("it proposes two values for `{path}`")));
        }
        let source = text("source").trim();
        let words = plain(source);
        let states = |value: &Value| stands_in(value, &words);
        let quoted = self.sources.iter().any(|source| states(source.content))
            || states(self.payload)
            || plain(self.rules).contains(&words);
        if !says_something(&words) || !quoted {
            let message =
                format!("the source of `{path}`, `{}`, stands neither in a source nor in the contract", shown(source));
            return Err(AnswerFault(message));
        }
        let proposed = entry.get("value").cloned().unwrap_or_default();
        let at = || path.to_owned();
        Ok(Proposal {
            id: format!("corrector-{number}"),
            rung: self.rung,
            patch: vec![
                PatchOp::Test { path: at(), value: place.value.clone() },
                PatchOp::Replace { path: at(), value: PatchValue::from(proposed) },
            ],
            finding: None,
            confidence: thousandths(entry),
            reason: format!("the source says: {}", shown(source)),
            concealed: false,
        })
    }

    fn finding(&self, number: usize, entry: &Value) -> Result<Proposal, AnswerFault> {
        let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
        let at = text("path");
        if !at.is_empty() && self.payload.pointer(at).is_none() {
            return Err(AnswerFault(format!("a finding is about `{}`, which the payload does not have", shown(at))));
        }
        let severity = if text("severity") == "error" { RuleWeight::Error } else { RuleWeight::Warning };
        let message: String = text("message").chars().take(LONGEST_MESSAGE).collect();
        Ok(Proposal {
            id: format!("corrector-finding-{number}"),
            rung: Rung::L6,
            patch: Vec::new(),
            finding: Some(ProposedFinding { at: at.to_owned(), message, severity }),
            confidence: 1000,
            reason: String::new(),
            concealed: false,
        })
    }
}

/// The confidence of an entry in thousandths, rounded down.
fn thousandths(entry: &Value) -> u16 {
    let stated = entry.get("confidence").and_then(Value::as_f64).unwrap_or(0.0).clamp(0.0, 1.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to 1000")]
    let thousandths = (stated * 1000.0) as u16;
    thousandths
}
