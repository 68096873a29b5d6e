//! The evaluator: a bundle of evidence and criteria becomes a call, and its answer a verdict for each criterion.
//!
//! An answer counts if it speaks of every criterion once and of no other, if its verdict follows from theirs, and if it
//! cites nothing that is not in the bundle.

use crate::answer::{AnswerFault, read};
use crate::ask::{Ask, Material, PreparedAsk, ReplyForm};
use crate::desk::Desk;
use crate::quote::{plain, shown, stands_in};
use crate::refusal::DeskRefusal;
use deed_canon::ContentHash;
use deed_model::{BindingSlot, ModelAttachment, ModelConsumer};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The slot of the evaluator.
pub(crate) const SLOT: BindingSlot = BindingSlot::Consumer(ModelConsumer::Evaluator);

/// A bundle that a model judges.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation<'a> {
    /// The contract of the step, as text.
    pub contract: &'a str,
    /// The hash of the bundle.
    pub bundle: ContentHash,
    /// The item.
    pub item_id: Option<&'a str>,
    /// General instructions.
    pub instructions: Option<&'a str>,
    /// The evidence, sources first.
    pub pieces: Vec<EvaluationPiece<'a>>,
    /// The criteria that the model judges: ids and texts.
    pub criteria: Vec<(&'a str, &'a str)>,
}

/// A piece of evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluationPiece<'a> {
    /// The side of the bundle.
    pub side: Side,
    /// Its part in the bundle.
    pub role: &'a str,
    /// The file that it was read from, if it was.
    pub path: Option<&'a str>,
    /// Plain SHA-256 of its bytes.
    pub sha256: ContentHash,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its content.
    pub content: PieceContent<'a>,
}

impl EvaluationPiece<'_> {
    /// Returns whether a quote stands in the piece: in its text, in one of its texts, or in its JSON. What stands in brackets
    /// is left out of it, as the pack may have redacted that. What an image shows cannot be compared.
    fn holds(&self, quote: &str) -> bool {
        let value = match &self.content {
            PieceContent::Value(value) => value,
            PieceContent::Image { .. } => return true,
        };
        stands_in(value, quote)
    }
}

/// The content of a piece of evidence.
#[derive(Debug, Clone, PartialEq)]
pub enum PieceContent<'a> {
    /// A text, or any JSON.
    Value(&'a Value),
    /// An image, stored under its hash.
    Image {
        /// Its media type.
        media_type: &'a str,
    },
}

/// A side of a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// What the work has to agree with.
    Source,
    /// The work.
    Derived,
}

impl Side {
    fn as_str(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Derived => "derived",
        }
    }
}

/// A verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It is met.
    Pass,
    /// The evidence cannot decide.
    Uncertain,
    /// It is not met.
    Fail,
}

impl Verdict {
    /// Returns the verdict's name in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Uncertain => "uncertain",
            Self::Fail => "fail",
        }
    }

    fn read(text: &str) -> Option<Self> {
        [Self::Pass, Self::Uncertain, Self::Fail].into_iter().find(|own| own.as_str() == text)
    }
}

/// A usable answer of the evaluator.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdicts {
    /// The verdict on the item: the strictest of its criteria.
    pub verdict: Verdict,
    /// Each criterion, in the order of the rubric.
    pub criteria: Vec<JudgedCriterion>,
}

/// The verdict on a criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedCriterion {
    /// The criterion.
    pub id: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason.
    pub reason: String,
    /// The places that are cited: path or reference, and words.
    pub evidence: Vec<Value>,
}

impl<'a> Evaluation<'a> {
    /// The reference of a piece.
    fn reference(&self, index: usize) -> String {
        let side = self.pieces.get(index).map_or(Side::Source, |piece| piece.side);
        let number = self.pieces.iter().take(index).filter(|piece| piece.side == side).count() + 1;
        format!("tool:bundle.{}:{number}", side.as_str())
    }

    /// Returns the form of an answer.
    ///
    /// # Errors
    /// The criteria make no schema.
    pub fn form(&self) -> Result<ReplyForm, DeskRefusal> {
        let ids: Vec<&str> = self.criteria.iter().map(|(id, _)| *id).collect();
        let verdict = json!({ "type": "string", "enum": ["pass", "fail", "uncertain"] });
        let cited = json!({
            "type": "object", "required": ["path", "quote"], "additionalProperties": false,
            "properties": { "path": { "type": "string" }, "quote": { "type": "string" } },
        });
        let criterion = json!({
            "type": "object", "required": ["criterion", "verdict", "reason", "evidence"], "additionalProperties": false,
            "properties": {
                "criterion": { "type": "string", "enum": ids }, "verdict": verdict, "reason": { "type": "string" },
                "evidence": { "type": "array", "items": cited },
            },
        });
        let schema = json!({
            "type": "object", "required": ["verdict", "criteria"], "additionalProperties": false,
            "properties": {
                "item_id": { "type": ["string", "null"] }, "verdict": verdict,
                "criteria": { "type": "array", "items": criterion },
            },
        });
        ReplyForm::new("evaluation", schema)
    }

    /// Prepares the call.
    ///
    /// # Errors
    /// The profile binds no model to the evaluator, or the pack refuses.
    pub fn prepare(&self, desk: &Desk, form: &ReplyForm, native_schema: bool) -> Result<PreparedAsk, DeskRefusal> {
        let mut material = Vec::new();
        let mut attachments = Vec::new();
        for (index, piece) in self.pieces.iter().enumerate() {
            let content = match piece.content {
                PieceContent::Value(value) => value.clone(),
                PieceContent::Image { media_type } => {
                    let (sha256, bytes) = (piece.sha256, piece.bytes);
                    attachments.push(ModelAttachment { sha256, media_type: media_type.to_owned(), bytes });
                    json!({ "image": piece.sha256, "media_type": media_type })
                }
            };
            let source = piece.path.unwrap_or(piece.role).to_owned();
            material.push(Material { reference: self.reference(index), source, content });
        }
        let request_id = format!("bundle {}", self.bundle);
        desk.ask(&Ask {
            slot: SLOT,
            contract: self.contract,
            request_id: &request_id,
            message: self.instructions,
            facts: self.facts(),
            material: &material,
            variables: self.variables(),
            attachments,
            form,
            native_schema,
        })
    }

    /// The facts that rules of a pack may read.
    fn facts(&self) -> Map<String, Value> {
        let count = |side: Side| self.pieces.iter().filter(|piece| piece.side == side).count();
        let bytes: u64 = self.pieces.iter().map(|piece| piece.bytes).fold(0, u64::saturating_add);
        let facts = [
            ("item_id", json!(self.item_id)),
            ("criteria", json!(self.criteria.len())),
            ("sources", json!(count(Side::Source))),
            ("derived", json!(count(Side::Derived))),
            ("bytes", json!(bytes)),
        ];
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn variables(&self) -> BTreeMap<String, String> {
        let mut rubric = String::new();
        for (id, text) in &self.criteria {
            let _ = match text.is_empty() || id == text {
                true => writeln!(rubric, "- {id}"),
                false => writeln!(rubric, "- {id}: {text}"),
            };
        }
        let listed = |side: Side| {
            let pieces = self.pieces.iter().enumerate().filter(|(_, piece)| piece.side == side);
            let lines = pieces.map(|(index, piece)| {
                let path = piece.path.map_or_else(|| self.reference(index), str::to_owned);
                format!("{path}: {}, in the context under {}", piece.role, self.reference(index))
            });
            let lines: Vec<String> = lines.collect();
            if lines.is_empty() { "none".to_owned() } else { lines.join("\n") }
        };
        BTreeMap::from([
            ("item_id".to_owned(), self.item_id.unwrap_or("the item").to_owned()),
            ("rubric".to_owned(), rubric.trim_end().to_owned()),
            ("source_evidence".to_owned(), listed(Side::Source)),
            ("derived_evidence".to_owned(), listed(Side::Derived)),
        ])
    }

    /// Reads an answer.
    ///
    /// # Errors
    /// The reason why it cannot be used, in words that the model can act on.
    pub fn read(&self, form: &ReplyForm, text: &str) -> Result<Verdicts, AnswerFault> {
        let value = read(form, text)?;
        let mut judged: BTreeMap<String, JudgedCriterion> = BTreeMap::new();
        for entry in value.get("criteria").and_then(Value::as_array).into_iter().flatten() {
            let criterion = self.criterion(entry)?;
            if let Some(twice) = judged.insert(criterion.id.clone(), criterion) {
                return Err(AnswerFault(format!("the criterion `{}` is judged twice", twice.id)));
            }
        }
        let mut criteria = Vec::new();
        for (id, _) in &self.criteria {
            let found = judged.remove(*id).ok_or_else(|| AnswerFault(format!("the criterion `{id}` is not judged")))?;
            criteria.push(found);
        }
        let strictest = criteria.iter().map(|criterion| criterion.verdict).max().unwrap_or(Verdict::Fail);
        let stated = value.get("verdict").and_then(Value::as_str).and_then(Verdict::read);
        if stated != Some(strictest) {
            let stated = stated.map_or("none", Verdict::as_str);
            let message = format!("its verdict is `{stated}`, and its criteria make it `{}`", strictest.as_str());
            return Err(AnswerFault(message));
        }
        if let (Some(asked), Some(named)) = (self.item_id, value.get("item_id").and_then(Value::as_str))
            && asked != named
        {
            return Err(AnswerFault(format!("it is about `{named}`, and the item is `{asked}`")));
        }
        Ok(Verdicts { verdict: strictest, criteria })
    }

    fn criterion(&self, entry: &Value) -> Result<JudgedCriterion, AnswerFault> {
        let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
        let id = text("criterion");
        let verdict = Verdict::read(text("verdict"));
        let verdict = verdict.ok_or_else(|| AnswerFault(format!("the criterion `{id}` has no verdict")))?;
        let evidence = entry.get("evidence").and_then(Value::as_array).cloned().unwrap_or_default();
        let known = self.citable();
        let cites = |cited: &Value| cited.get("path").and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Some(unknown) = evidence.iter().map(cites).find(|path| !known.contains(path)) {
            return Err(AnswerFault(format!("the criterion `{id}` cites `{unknown}`, which is not in the bundle")));
        }
        if verdict == Verdict::Pass && evidence.is_empty() && !self.pieces.is_empty() {
            return Err(AnswerFault(format!("the criterion `{id}` passes and cites no evidence")));
        }
        for cited in &evidence {
            let quote = cited.get("quote").and_then(Value::as_str).map(plain).filter(|quote| !quote.is_empty());
            if let Some(quote) = quote
                && !self.cited(&cites(cited)).any(|piece| piece.holds(&quote))
            {
                let (shown, path) = (shown(&quote), cites(cited));
                return Err(AnswerFault(format!("the criterion `{id}` quotes `{shown}`, which is not in `{path}`")));
            }
        }
        Ok(JudgedCriterion { id: id.to_owned(), verdict, reason: text("reason").to_owned(), evidence })
    }

    /// The pieces that go by a name.
    fn cited<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s EvaluationPiece<'a>> {
        let is_it = move |(index, piece): &(usize, &EvaluationPiece<'_>)| {
            piece.path == Some(name) || piece.role == name || self.reference(*index) == name
        };
        self.pieces.iter().enumerate().filter(is_it).map(|(_, piece)| piece)
    }

    /// The names by which evidence can be cited.
    fn citable(&self) -> BTreeSet<String> {
        let of = |(index, piece): (usize, &EvaluationPiece<'_>)| {
            let names = [Some(self.reference(index)), piece.path.map(str::to_owned), Some(piece.role.to_owned())];
            names.into_iter().flatten()
        };
        self.pieces.iter().enumerate().flat_map(of).collect()
    }
}
