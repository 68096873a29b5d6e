//! Translation: a document in one vocabulary enters, the same in another leaves, with a list of what found no place.
//!
//! The means are those of the rungs. A field goes to the place that a synonym names; failing that, to the place of
//! the same name; failing that, to the one place whose name is near while no other is. Nesting may differ: fields are
//! matched by the whole way to them. The document that was put together then climbs the ladder of its new schema.

mod carry;
mod convert;
mod fields;
mod path;
mod plan;
mod slots;

use crate::climb::{Climbed, Input, climb};
use crate::ladder::{ContractFault, Ladder};
use carry::{Field, carry, down};
use deed_diag::{did_you_mean, quote};
use deed_imprint::Imprint;
use deed_model::{Conversion, LadderContract, LadderMapping, LadderReport, Phase, Proposals};
use deed_schema::{Refused, Schema};
use fields::{Fields, fields};
use path::{last, steps};
use plan::Plan;
use serde::Serialize;
use serde_json::{Map, Value, json};
use slots::{Slot, lists_of_objects, slot_at, slots};
use std::collections::{BTreeMap, BTreeSet};

/// A field that found its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Placed {
    /// Where it was, `*` standing for every item.
    pub from: String,
    /// Where it is.
    pub to: String,
    /// How: `synonym`, `same_path`, `same_name` or `vector`.
    pub rule: &'static str,
    /// How sure, in thousandths.
    pub confidence: u16,
    /// What was done to its value on the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub converted: Vec<String>,
}

/// A field that found none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Unplaced {
    /// Where it was.
    pub from: String,
    /// Why it was left out.
    pub reason: String,
}

/// A translated document.
#[derive(Debug, Clone, PartialEq)]
pub struct Translated {
    /// The document in its new vocabulary, as it left the ladder.
    pub document: Option<Value>,
    /// Where each field went.
    pub placed: Vec<Placed>,
    /// What could not be placed.
    pub unplaced: Vec<Unplaced>,
    /// Required places that nothing was found for.
    pub missing: Vec<String>,
    /// The record of the climb under the new schema.
    pub report: LadderReport,
}

/// Why nothing can be translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TranslateError {
    /// A schema is refused.
    Schema {
        /// `from` or `to`.
        which: &'static str,
        /// Why.
        refused: Refused,
    },
    /// The document is not what its own schema says.
    NotOfItsSchema(Vec<String>),
    /// The document is no object.
    NotAnObject,
    /// A synonym names nothing of the old or of the new vocabulary.
    Synonyms(String),
    /// The contract is of another schema than the one that the document is wanted in.
    OtherSchema,
    /// The contract of the new schema cannot be made ready.
    Contract(Vec<ContractFault>),
}

/// A way from the vocabulary of one schema to that of another.
#[derive(Debug, Clone, PartialEq)]
pub struct Translation {
    /// The schema that documents are written in.
    pub from: Value,
    /// The schema that they are wanted in.
    pub to: Value,
    /// From a path (`/customer/email`) or a name (`customer_id`) of the old vocabulary to one of the new.
    pub synonyms: BTreeMap<String, String>,
    /// Fields that are placed and converted as it says; it wins over synonyms.
    pub mapping: LadderMapping,
    /// What the result climbs: its transforms, defaults and rules. Without one the new schema alone has its say.
    pub contract: Option<LadderContract>,
}

/// Carries a document from the vocabulary of one schema to that of another, by names and synonyms alone.
pub fn translate(
    from: Value,
    to: Value,
    synonyms: &BTreeMap<String, String>,
    document: &Value,
) -> Result<Translated, TranslateError> {
    let (mapping, contract) = (LadderMapping::default(), None);
    Translation { from, to, synonyms: synonyms.clone(), mapping, contract }.apply(document)
}

impl Translation {
    /// Carries a document over.
    pub fn apply(self, document: &Value) -> Result<Translated, TranslateError> {
        let Self { from, to, mut synonyms, mapping, contract } = self;
        if contract.as_ref().is_some_and(|contract| contract.schema != to) {
            return Err(TranslateError::OtherSchema);
        }
        let mut conversions: BTreeMap<String, Vec<Conversion>> = BTreeMap::new();
        for field in mapping.fields {
            if conversions.insert(field.from.clone(), field.convert).is_some() {
                return Err(TranslateError::Synonyms(format!("{} is mapped twice", quote(&field.from))));
            }
            synonyms.insert(field.from, field.to);
        }
        carried(from, to, (&synonyms, &conversions), contract, document)
    }
}

/// Synonyms, and the conversions of the fields they name.
type Rules<'r> = (&'r BTreeMap<String, String>, &'r BTreeMap<String, Vec<Conversion>>);

fn carried(
    from: Value,
    to: Value,
    (synonyms, conversions): Rules<'_>,
    contract: Option<LadderContract>,
    document: &Value,
) -> Result<Translated, TranslateError> {
    let read = |value: Value, which: &'static str| {
        Schema::new(value).and_then(Imprint::new).map_err(|refused| TranslateError::Schema { which, refused })
    };
    if !document.is_object() {
        return Err(TranslateError::NotAnObject);
    }
    let source = read(from, "from")?;
    let target = read(to.clone(), "to")?;
    let faults =
        source.schema().violations(document).map_err(|refused| TranslateError::Schema { which: "from", refused })?;
    if !faults.is_empty() {
        let told = faults.into_iter().map(|fault| format!("{}: {}", fault.pointer, fault.message)).collect();
        return Err(TranslateError::NotOfItsSchema(told));
    }
    let Fields { all: fields, empty } = fields(document);
    let mut slots = slots(&target);
    let wanted = fields.iter().chain(synonyms.values().filter(|to| to.starts_with('/')));
    let known: BTreeSet<String> = slots.iter().map(|slot| slot.path.clone()).collect();
    let deep: BTreeSet<&String> = wanted.filter(|path| !known.contains(*path)).collect();
    slots.extend(deep.into_iter().filter_map(|path| slot_at(&target, path)));
    slots.sort_by(|a, b| a.path.cmp(&b.path));
    meaningful(synonyms, &self::slots(&source), &fields, &slots)?;
    let of_objects = lists_of_objects(&slots);
    let sources: BTreeSet<String> =
        self::slots(&source).into_iter().map(|slot| slot.path).chain(fields.iter().cloned()).collect();
    let (placed, unplaced) = (Vec::new(), Vec::new());
    let mut plan = Plan { slots: &slots, sources, of_objects, synonyms, empty: &empty, placed, unplaced };
    let mut moves = plan.place(&fields);
    let mut built = Value::Object(Map::new());
    for (from, to) in &moves {
        let convert = conversions.get(from).or_else(|| conversions.get(&last(from))).map(Vec::as_slice);
        let field = Field { path: from, document, convert: convert.unwrap_or_default() };
        carry(document, &field, &steps(from), &mut built, &steps(to), &mut plan.unplaced);
        plan.note(&field);
    }
    moves.retain(|(from, _)| plan.placed.iter().any(|placed| placed.from == *from));
    let climbed = conform(to, contract, &built)?;
    let missing = missing(&slots, &climbed, &moves);
    let Plan { mut placed, mut unplaced, .. } = plan;
    placed.sort_by(|a, b| a.from.cmp(&b.from));
    unplaced.sort_by(|a, b| (&a.from, &a.reason).cmp(&(&b.from, &b.reason)));
    unplaced.dedup();
    Ok(Translated { document: climbed.payload, placed, unplaced, missing, report: climbed.report })
}

/// Refuses synonyms that name nothing: they were meant to name something.
fn meaningful(
    synonyms: &BTreeMap<String, String>,
    old: &[Slot],
    fields: &[String],
    new: &[Slot],
) -> Result<(), TranslateError> {
    let is = |path: &str, name: &str| path == name || last(path) == name;
    for (from, to) in synonyms {
        let known = old.iter().any(|slot| is(&slot.path, from)) || fields.iter().any(|field| is(field, from));
        if !known {
            let near = did_you_mean(from, old.iter().map(|slot| slot.path.as_str())).unwrap_or_default();
            return Err(TranslateError::Synonyms(format!("{} is nothing of the old vocabulary {near}", quote(from))));
        }
        if !new.iter().any(|slot| is(&slot.path, to)) {
            let near = did_you_mean(to, new.iter().map(|slot| slot.path.as_str())).unwrap_or_default();
            return Err(TranslateError::Synonyms(format!("{} is no place of the new vocabulary {near}", quote(to))));
        }
    }
    Ok(())
}

/// Sends the document up the ladder of its new schema, under the contract that was given for it.
fn conform(schema: Value, contract: Option<LadderContract>, document: &Value) -> Result<Climbed, TranslateError> {
    let contract = match contract {
        Some(contract) => contract,
        None => serde_json::from_value(json!({
            "contract": "translation",
            "schema": schema,
            "guard": { "secrets": false },
        }))
        .map_err(|error| TranslateError::Synonyms(error.to_string()))?,
    };
    let ladder = Ladder::new(contract).map_err(TranslateError::Contract)?;
    Ok(climb(&ladder, Input::Value(document), Phase::Ingestion, &Proposals::default()))
}

/// Required places that nothing was carried to.
fn missing(slots: &[Slot], climbed: &Climbed, moves: &[(String, String)]) -> Vec<String> {
    let filled: BTreeSet<&str> = moves.iter().map(|(_, to)| to.as_str()).collect();
    let there =
        |slot: &Slot| climbed.payload.as_ref().is_some_and(|payload| down(payload, &steps(&slot.path)).is_some());
    let beneath = |slot: &Slot| filled.iter().any(|to| to.starts_with(&format!("{}/", slot.path)));
    let open = slots
        .iter()
        .filter(|slot| slot.required && !filled.contains(slot.path.as_str()) && !there(slot) && !beneath(slot));
    open.map(|slot| slot.path.clone()).collect()
}
