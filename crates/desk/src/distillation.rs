//! The distiller: a finished run becomes a call, and its answer candidates to remember.
//!
//! A candidate counts if it cites artifacts of the run that the model was shown, each with words that stand in it. Others are
//! refused one by one, with a reason: one invention does not take the rest away.

use crate::answer::{AnswerFault, read};
use crate::ask::{Ask, Material, PreparedAsk, ReplyForm};
use crate::desk::Desk;
use crate::quote::{plain, says_something, shown, stands_in};
use crate::refusal::DeskRefusal;
use deed_canon::ContentHash;
use deed_model::{BindingSlot, ModelConsumer};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const SLOT: BindingSlot = BindingSlot::Consumer(ModelConsumer::Distiller);
/// The most candidates of an answer.
const MOST_CANDIDATES: usize = 8;
/// The longest statement, in characters.
const LONGEST_STATEMENT: usize = 400;
/// The most places that a candidate cites.
const MOST_CITED: usize = 16;

/// A finished run of which a model says what to remember.
#[derive(Debug, Clone, PartialEq)]
pub struct Distillation<'a> {
    /// The compiled plan, as text: it stands for the run, whose name would differ in a replay.
    pub contract: &'a str,
    /// The end of the run, for rules of packs.
    pub outcome: &'a str,
    /// Objective, steps, decisions and failures, in lines.
    pub run: &'a str,
    /// The artifacts that the model reads.
    pub pieces: Vec<DistilledPiece<'a>>,
    /// What may be remembered.
    pub policy: DistillPolicy<'a>,
}

/// An artifact of the run.
#[derive(Debug, Clone, PartialEq)]
pub struct DistilledPiece<'a> {
    /// Its path.
    pub path: &'a str,
    /// Plain SHA-256 of its bytes.
    pub sha256: ContentHash,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its content: a text, or any JSON.
    pub content: &'a Value,
}

/// What the pack lets be remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistillPolicy<'a> {
    /// The classes.
    pub classes: Vec<&'a str>,
    /// The tiers with a lifetime.
    pub tiers: Vec<&'a str>,
    /// The intents.
    pub intents: Vec<&'a str>,
    /// Other rules, in lines.
    pub rules: &'a str,
}

/// A candidate as it was read, or the reason why it is refused.
#[derive(Debug, Clone, PartialEq)]
pub struct DistilledAnswer {
    /// Its statement.
    pub statement: String,
    /// The candidate.
    pub candidate: Result<Candidate, String>,
}

/// A candidate that cites what it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The statement.
    pub statement: String,
    /// The class.
    pub class: String,
    /// The tier.
    pub tier: String,
    /// The subject that it is about, or `*`.
    pub subject: String,
    /// The intent that it serves, or `*`.
    pub intent: String,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// The artifacts, each once, in the order in which they are cited.
    pub artifacts: Vec<CitedArtifact>,
}

/// An artifact that a candidate cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedArtifact {
    /// Its path.
    pub path: String,
    /// Plain SHA-256 of its bytes.
    pub sha256: ContentHash,
    /// The first words that are quoted from it.
    pub quote: String,
}

impl Distillation<'_> {
    fn reference(index: usize) -> String {
        format!("tool:run.artifact:{}", index + 1)
    }

    /// Returns the form of an answer.
    ///
    /// # Errors
    /// The policy makes no schema, as one without classes.
    pub fn form(&self) -> Result<ReplyForm, DeskRefusal> {
        let intents: Vec<&str> = self.policy.intents.iter().copied().chain(std::iter::once("*")).collect();
        let cited = json!({
            "type": "object", "required": ["path", "quote"], "additionalProperties": false,
            "properties": { "path": { "type": "string" }, "quote": { "type": "string" } },
        });
        let candidate = json!({
            "type": "object", "additionalProperties": false,
            "required": ["statement", "class", "tier", "subject", "intent", "confidence", "evidence"],
            "properties": {
                "statement": { "type": "string" },
                "class": { "type": "string", "enum": self.policy.classes },
                "tier": { "type": "string", "enum": self.policy.tiers },
                "subject": { "type": "string" },
                "intent": { "type": "string", "enum": intents },
                "confidence": { "type": "number", "minimum": 0, "maximum": 1 },
                "evidence": { "type": "array", "items": cited },
            },
        });
        let schema = json!({
            "type": "object", "required": ["candidates"], "additionalProperties": false,
            "properties": { "candidates": { "type": "array", "items": candidate } },
        });
        ReplyForm::new("distillation", schema)
    }

    /// Prepares the call.
    ///
    /// # Errors
    /// The profile binds no model to the distiller, or the pack refuses.
    pub fn prepare(&self, desk: &Desk, form: &ReplyForm, native_schema: bool) -> Result<PreparedAsk, DeskRefusal> {
        let material = |(index, piece): (usize, &DistilledPiece<'_>)| Material {
            reference: Self::reference(index),
            source: piece.path.to_owned(),
            content: piece.content.clone(),
        };
        let material: Vec<Material> = self.pieces.iter().enumerate().map(material).collect();
        let request_id = format!("distillation of {}", self.contract);
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
        let bytes: u64 = self.pieces.iter().map(|piece| piece.bytes).fold(0, u64::saturating_add);
        let facts =
            [("outcome", json!(self.outcome)), ("artifacts", json!(self.pieces.len())), ("bytes", json!(bytes))];
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn variables(&self) -> BTreeMap<String, String> {
        let DistillPolicy { classes, tiers, intents, rules } = &self.policy;
        let mut policy = String::new();
        let intents: Vec<&str> = intents.iter().copied().chain(std::iter::once("*")).collect();
        for (name, words) in [("classes", classes), ("tiers", tiers), ("intents", &intents)] {
            let _ = writeln!(policy, "{name}: {}", words.join(", "));
        }
        policy.push_str(rules);
        let mut run = self.run.trim_end().to_owned();
        for (index, piece) in self.pieces.iter().enumerate() {
            let _ = write!(run, "\nartifact {}, in the context under {}", piece.path, Self::reference(index));
        }
        BTreeMap::from([
            ("most_candidates".to_owned(), MOST_CANDIDATES.to_string()),
            ("policy".to_owned(), policy.trim_end().to_owned()),
            ("run".to_owned(), run),
        ])
    }

    /// Reads an answer.
    ///
    /// # Errors
    /// The reason why none of it can be used, in words that the model can act on.
    pub fn read(&self, form: &ReplyForm, text: &str) -> Result<Vec<DistilledAnswer>, AnswerFault> {
        let value = read(form, text)?;
        let listed = value.get("candidates").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        if listed.len() > MOST_CANDIDATES {
            return Err(AnswerFault(format!(
                "it has {} candidates, and at most {MOST_CANDIDATES} are read",
                listed.len()
            )));
        }
        Ok(listed.iter().map(|entry| self.answer(entry)).collect())
    }

    fn answer(&self, entry: &Value) -> DistilledAnswer {
        let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default().trim().to_owned();
        let statement = text("statement");
        let candidate = self.artifacts(entry).and_then(|artifacts| {
            if statement.is_empty() {
                return Err("it states nothing".to_owned());
            }
            if statement.chars().count() > LONGEST_STATEMENT {
                return Err(format!("its statement is longer than {LONGEST_STATEMENT} characters"));
            }
            Ok(Candidate {
                statement: statement.clone(),
                class: text("class"),
                tier: text("tier"),
                subject: text("subject"),
                intent: text("intent"),
                confidence: entry.get("confidence").and_then(Value::as_f64).unwrap_or(0.0),
                artifacts,
            })
        });
        DistilledAnswer { statement, candidate }
    }

    /// The artifacts that a candidate cites, or the reason why it is refused.
    fn artifacts(&self, entry: &Value) -> Result<Vec<CitedArtifact>, String> {
        let cited = entry.get("evidence").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        if cited.is_empty() {
            return Err("it cites no artifact of the run".to_owned());
        }
        if cited.len() > MOST_CITED {
            return Err(format!("it cites {} places, and at most {MOST_CITED} are read", cited.len()));
        }
        let mut artifacts: Vec<CitedArtifact> = Vec::new();
        for place in cited {
            let text = |name: &str| place.get(name).and_then(Value::as_str).unwrap_or_default();
            let (path, quote) = (text("path"), text("quote").trim());
            let named = self.pieces.iter().enumerate();
            let piece = named.into_iter().find(|(index, piece)| piece.path == path || Self::reference(*index) == path);
            let Some((_, piece)) = piece else {
                return Err(format!("it cites `{}`, which is no artifact of the run that the model read", shown(path)));
            };
            let words = plain(quote);
            if !says_something(&words) {
                return Err(format!("it quotes nothing from `{}`", piece.path));
            }
            if !stands_in(piece.content, &words) {
                return Err(format!("it quotes `{}`, which is not in `{}`", shown(quote), piece.path));
            }
            if artifacts.iter().all(|known| known.path != piece.path) {
                let (path, sha256) = (piece.path.to_owned(), piece.sha256);
                artifacts.push(CitedArtifact { path, sha256, quote: quote.to_owned() });
            }
        }
        Ok(artifacts)
    }
}

/// Returns the statements of an answer, in order, whatever became of them; none of one that cannot be read.
pub fn distilled_statements(text: &str) -> Vec<String> {
    let candidate = json!({ "type": "object", "properties": { "statement": { "type": "string" } } });
    let schema = json!({
        "type": "object", "required": ["candidates"],
        "properties": { "candidates": { "type": "array", "items": candidate } },
    });
    let read = ReplyForm::new("statements", schema).ok().and_then(|form| read(&form, text).ok());
    let listed = read.and_then(|value| value.get("candidates").and_then(Value::as_array).cloned());
    let statement =
        |entry: &Value| entry.get("statement").and_then(Value::as_str).unwrap_or_default().trim().to_owned();
    listed.iter().flatten().map(statement).collect()
}
