//! Translation: a document in one vocabulary enters, the same in another leaves, with a list of what found no place.
//!
//! The means are those of the rungs. A field goes to the place that a synonym names; failing that, to the place of
//! the same name; failing that, to the one place whose name is near while no other is. Nesting may differ: fields are
//! matched by the whole way to them. The document that was put together then climbs the ladder of its new schema.

mod convert;

use crate::climb::{Climbed, Input, climb};
use crate::embed::{Choice, Entry, Limits, Names, Ranked};
use crate::ladder::{ContractFault, Ladder};
use crate::naming::same_but_style;
use crate::place::Step;
use deed_canon::Pointer;
use deed_diag::{did_you_mean, quote};
use deed_imprint::{Expected, Imprint, ValueKind};
use deed_model::{Conversion, LadderContract, LadderMapping, LadderReport, Phase, Proposals};
use deed_schema::{Refused, Schema};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How sure a place of the same name is where what it stands in has an unlike name, in thousandths.
const UNLIKE_PARENTS: u16 = 800;
/// Levels of a schema that are looked at for places; deeper ones are found by their path alone.
const DEEPEST: usize = 12;
/// Places of a schema that are looked at: one that holds itself in several keys has no end of them.
const MOST_SLOTS: usize = 10_000;

/// A field that found its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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

/// A place of the new vocabulary.
struct Slot {
    path: String,
    required: bool,
    list: bool,
    note: String,
}

/// Every place of a schema that holds a value of its own: leaves, and lists of leaves. What is near comes first.
fn slots(imprint: &Imprint) -> Vec<Slot> {
    let mut found = Vec::new();
    let nothing = json!({});
    let mut left = VecDeque::from([(String::new(), imprint.expected(), true, 0_usize)]);
    while let Some((path, expected, required, depth)) = left.pop_front() {
        if depth > DEEPEST || found.len() >= MOST_SLOTS {
            break;
        }
        for key in expected.keys(&nothing) {
            let inner = expected.key(&nothing, key.name);
            let at = push_key(&path, key.name);
            let needed = required && key.required;
            let (slot, beneath) = slot(at, inner, needed, key.note);
            found.extend(slot);
            left.extend(beneath.map(|(path, inner, required)| (path, inner, required, depth + 1)));
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// What holds places of its own: where, what is expected there, and whether it must be given.
type Beneath<'i> = (String, Expected<'i>, bool);

/// The place itself, if it holds a value of its own, and what is to be looked at beneath it.
fn slot<'i>(at: String, inner: Expected<'i>, required: bool, note: &str) -> (Option<Slot>, Option<Beneath<'i>>) {
    let (nothing, list) = (json!({}), json!([null]));
    if inner.takes(ValueKind::Object) && inner.is_known(&nothing) {
        return (None, Some((at, inner, required)));
    }
    let is_list = inner.takes_only(ValueKind::List);
    let item = inner.item(&list, 0);
    let beneath = (is_list && item.is_known(&nothing)).then(|| (format!("{at}/*"), item, false));
    (Some(Slot { path: at, required, list: is_list, note: note.to_owned() }), beneath)
}

/// The place at a path, however deep it lies.
fn slot_at(imprint: &Imprint, path: &str) -> Option<Slot> {
    let (nothing, list) = (json!({}), json!([null]));
    let mut here = imprint.expected();
    let mut required = true;
    let mut note = "";
    for step in steps(path) {
        let Step::Named(name) = step else {
            here = Some(here).filter(|here| here.takes_only(ValueKind::List))?.item(&list, 0);
            required = false;
            continue;
        };
        let key = here.keys(&nothing).into_iter().find(|key| key.name == name)?;
        required &= key.required;
        note = key.note;
        here = here.key(&nothing, &name);
    }
    slot(path.to_owned(), here, required, note).0.filter(|_| !path.ends_with("/*"))
}

/// The fields of a document.
struct Fields {
    all: Vec<String>,
    /// Those that are an empty list wherever they are given.
    empty: BTreeSet<String>,
}

/// Every field of a document that holds a value of its own, items of lists of objects told by `*`.
fn fields(document: &Value) -> Fields {
    let (mut found, mut empty, mut lists) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut left = vec![(String::new(), document)];
    while let Some((path, value)) = left.pop() {
        match value {
            Value::Object(map) if !map.is_empty() => {
                left.extend(map.iter().map(|(key, inner)| (push_key(&path, key), inner)));
            }
            Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_object) => {
                left.extend(items.iter().map(|inner| (format!("{path}/*"), inner)));
                lists.insert(path);
            }
            _ if path.is_empty() => {}
            Value::Array(items) if items.is_empty() => {
                empty.insert(path);
            }
            _ => {
                found.insert(path);
            }
        }
    }
    // An item without fields goes where the fields of the others go.
    let has_fields = |path: &&String| {
        let start = format!("{path}/");
        path.ends_with("/*") && found.range(start.clone()..).next().is_some_and(|next| next.starts_with(&start))
    };
    let carried: BTreeSet<String> = found.iter().filter(has_fields).cloned().collect();
    found.retain(|path| !carried.contains(path));
    // A list that is empty here and full there goes where its items go.
    empty.retain(|path| !found.contains(path) && !lists.contains(path));
    found.extend(empty.iter().cloned());
    Fields { all: found.into_iter().collect(), empty }
}

struct Plan<'p> {
    slots: &'p [Slot],
    /// The fields of the old vocabulary.
    sources: BTreeSet<String>,
    /// The slots that are lists of objects, whose fields have places of their own.
    of_objects: BTreeSet<String>,
    /// Fields that are empty lists.
    empty: &'p BTreeSet<String>,
    synonyms: &'p BTreeMap<String, String>,
    placed: Vec<Placed>,
    unplaced: Vec<Unplaced>,
}

impl Plan<'_> {
    /// Where each field goes. What is certain is placed first, so that likeness chooses among what is left.
    fn place(&mut self, fields: &[String]) -> Vec<(String, String)> {
        let mut taken: BTreeSet<String> = BTreeSet::new();
        let mut moves: Vec<(String, String)> = Vec::new();
        let mut left: Vec<&String> = fields.iter().collect();
        let mut contested: BTreeMap<&String, String> = BTreeMap::new();
        for step in [Self::by_synonym, Self::by_path, Self::by_name, Self::by_likeness] {
            let mut wanted: BTreeMap<String, Vec<(&String, &'static str, u16)>> = BTreeMap::new();
            for field in &left {
                if let Some((to, rule, confidence)) = step(self, field, &taken) {
                    wanted.entry(to).or_default().push((*field, rule, confidence));
                }
            }
            for (to, fields) in wanted {
                let [(field, rule, confidence)] = fields.as_slice() else {
                    // Two that want one place: neither goes there by this means.
                    for (field, ..) in fields {
                        contested.entry(field).or_insert_with(|| to.clone());
                    }
                    continue;
                };
                if !self.lists_agree(field, &to, &moves) {
                    continue;
                }
                left.retain(|known| known != field);
                taken.insert(to.clone());
                moves.push(((*field).clone(), to.clone()));
                let placed =
                    Placed { from: (*field).clone(), to, rule, confidence: *confidence, converted: Vec::new() };
                self.placed.push(placed);
            }
        }
        for field in left {
            let reason = match contested.get(field) {
                Some(place) => format!("{place} is wanted by several"),
                None => self.why(field, &taken),
            };
            self.unplaced.push(Unplaced { from: field.clone(), reason });
        }
        moves
    }

    /// Writes down what was done to a field on its way, and which fields went with it. A field of which no value could be
    /// converted was not placed.
    fn note(&mut self, field: &Field<'_>) {
        let lost = self.unplaced.iter().filter(|unplaced| unplaced.from == field.path).count();
        if lost > 0 && !field.path.contains("/*") {
            self.placed.retain(|placed| placed.from != field.path);
        }
        let Some(placed) = self.placed.iter_mut().find(|placed| placed.from == field.path) else { return };
        placed.converted = field.convert.iter().map(convert::described).collect();
        let to = placed.to.clone();
        for with in field.convert.iter().filter_map(|conversion| match conversion {
            Conversion::Join(join) => Some(&join.with),
            _ => None,
        }) {
            for from in with.iter().filter(|from| field.document.pointer(from).is_some()) {
                self.unplaced.retain(|unplaced| unplaced.from != *from);
                let (from, to) = (from.clone(), to.clone());
                self.placed.push(Placed { from, to, rule: "joined", confidence: 1000, converted: Vec::new() });
            }
        }
    }

    /// Whether a field's list goes to the list that its other fields went to, and no other list does.
    fn lists_agree(&self, field: &str, to: &str, moves: &[(String, String)]) -> bool {
        let lists = |from: &str, to: &str| {
            // An empty list is one itself.
            if self.empty.contains(from) && self.of_objects.contains(to) {
                return Some((from.to_owned(), to.to_owned()));
            }
            let list = |path: &str| lists_above(path).last().map(str::to_owned);
            list(from).zip(list(to))
        };
        let Some((from_list, to_list)) = lists(field, to) else { return true };
        let agrees = |(from, to): (String, String)| (from == from_list) == (to == to_list);
        moves.iter().all(|(from, to)| lists(from, to).is_none_or(agrees))
    }

    /// Places that are free and of the same depth of lists: an item's field goes into an item.
    fn free(&self, field: &str, taken: &BTreeSet<String>) -> Vec<&Slot> {
        let depth = |path: &str| lists_above(path).count();
        let empty = self.empty.contains(field);
        let fits = |slot: &&Slot| {
            !taken.contains(&slot.path)
                && depth(&slot.path) == depth(field)
                && (empty || !self.of_objects.contains(&slot.path))
        };
        self.slots.iter().filter(fits).collect()
    }

    fn by_synonym(&self, field: &str, taken: &BTreeSet<String>) -> Option<(String, &'static str, u16)> {
        let to = self.synonyms.get(field).or_else(|| self.synonyms.get(&last(field)))?;
        let mut fitting =
            self.free(field, taken).into_iter().filter(|slot| slot.path == *to || last(&slot.path) == *to);
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Some((only.path.clone(), "synonym", 1000)),
            _ => None,
        }
    }

    fn by_path(&self, field: &str, taken: &BTreeSet<String>) -> Option<(String, &'static str, u16)> {
        let slot = self.free(field, taken).into_iter().find(|slot| slot.path == field)?;
        Some((slot.path.clone(), "same_path", 1000))
    }

    fn by_name(&self, field: &str, taken: &BTreeSet<String>) -> Option<(String, &'static str, u16)> {
        let name = last(field);
        let is_same = |slot: &&Slot| last(&slot.path) == name && !self.is_of_another(field, &slot.path);
        let mut same = self.free(field, taken).into_iter().filter(is_same);
        match (same.next(), same.next()) {
            // A name such as `id` says nothing without what it stands in.
            (Some(only), None) if only.path.matches('/').count() == field.matches('/').count() || is_telling(&name) => {
                let confidence = if stand_in_two_things(field, &only.path) { UNLIKE_PARENTS } else { 950 };
                Some((only.path.clone(), "same_name", confidence))
            }
            _ => None,
        }
    }

    /// Whether a place of a like name belongs to another thing: what the two stand in is opposite, or unlike while the
    /// same name stands in several things of either vocabulary.
    fn is_of_another(&self, field: &str, place: &str) -> bool {
        let (above, over) = (above(field), above(place));
        if above.is_empty() || over.is_empty() || same_but_style(&above, &over) {
            return false;
        }
        let several = |paths: &mut dyn Iterator<Item = &str>, name: &str| {
            let parents: BTreeSet<String> =
                paths.filter(|path| same_but_style(&last(path), name)).map(self::above).collect();
            parents.len() > 1
        };
        let names = Names::new();
        let shared = || {
            several(&mut self.sources.iter().map(String::as_str), &last(field))
                || several(&mut self.slots.iter().map(|slot| slot.path.as_str()), &last(place))
        };
        names.are_opposite(&above, &over) || (names.are_two(&above, &over) && shared())
    }

    fn by_likeness(&self, field: &str, taken: &BTreeSet<String>) -> Option<(String, &'static str, u16)> {
        let slots = self.free(field, taken);
        match likeness(&slots, field) {
            Choice::Rename(found) => {
                let slot = slots.get(found.index).filter(|slot| !self.is_of_another(field, &slot.path))?;
                Some((slot.path.clone(), "vector", found.similarity.thousandths()))
            }
            Choice::Tie(..) | Choice::Unknown(_) => None,
        }
    }

    fn why(&self, field: &str, taken: &BTreeSet<String>) -> String {
        let slots = self.free(field, taken);
        let named = |index: usize| slots.get(index).map(|slot| slot.path.clone()).unwrap_or_default();
        let deep = match steps(field).len() > DEEPEST {
            true => format!("; deeper than {DEEPEST} levels a place is found by its path alone"),
            false => String::new(),
        };
        match likeness(&slots, field) {
            Choice::Tie(first, second) => format!("as near to {} as to {}", named(first.index), named(second.index)),
            Choice::Unknown(Some(near)) => {
                format!(
                    "near to nothing; the nearest is {} at {} thousandths{deep}",
                    named(near.index),
                    near.similarity.thousandths()
                )
            }
            Choice::Unknown(None) => format!("there is no free place of its kind{deep}"),
            Choice::Rename(found) if self.is_of_another(field, &named(found.index)) => {
                format!("{} has a like name and belongs to another thing", named(found.index))
            }
            Choice::Rename(found) => format!("{} is wanted by several", named(found.index)),
        }
    }
}

fn lists_of_objects(slots: &[Slot]) -> BTreeSet<String> {
    let lists: BTreeSet<&str> = slots.iter().filter(|slot| slot.list).map(|slot| slot.path.as_str()).collect();
    let above = slots.iter().flat_map(|slot| lists_above(&slot.path));
    above.filter(|list| lists.contains(list)).map(str::to_owned).collect()
}

fn likeness(slots: &[&Slot], field: &str) -> Choice {
    let entries: Vec<Entry> = slots.iter().map(|slot| Entry::new(words(&slot.path)).described(&slot.note)).collect();
    let ranked = Ranked::names("", &entries);
    match ranked.choose(&words(field), Limits::default()) {
        // A name such as `id` says nothing without what it stands in.
        Choice::Unknown(near) if is_telling(&last(field)) => {
            // The way to a field may be another one; its own name can still be the same.
            let entries: Vec<Entry> =
                slots.iter().map(|slot| Entry::new(last(&slot.path)).described(&slot.note)).collect();
            match Ranked::names("", &entries).choose(&last(field), Limits::default()) {
                Choice::Unknown(_) => Choice::Unknown(near),
                other => other,
            }
        }
        other => other,
    }
}

/// Whether what a field stands in and what a place stands in have unlike names.
fn stand_in_two_things(field: &str, place: &str) -> bool {
    let (field, place) = (above(field), above(place));
    !field.is_empty() && !place.is_empty() && !same_but_style(&field, &place) && Names::new().are_two(&field, &place)
}

/// The names of what a field stands in, as one name.
fn above(path: &str) -> String {
    let names: Vec<String> = path.split('/').skip(1).filter(|segment| *segment != ITEM).map(key_of).collect();
    names.split_last().map(|(_, above)| above.join("_")).unwrap_or_default()
}

/// Whether a name says what it is without what it stands in: a long one, or a short one that means one thing anywhere.
fn is_telling(name: &str) -> bool {
    name.len() > 4 || ["zip", "city", "iban", "bic", "isin", "vat", "fax"].iter().any(|word| same_but_style(name, word))
}

/// The names on the way to a field, as one name.
fn words(path: &str) -> String {
    let names: Vec<String> = path.split('/').skip(1).filter(|segment| *segment != ITEM).map(key_of).collect();
    // The last two say what a field is; more would drown them.
    names.iter().skip(names.len().saturating_sub(2)).cloned().collect::<Vec<_>>().join("_")
}

fn last(path: &str) -> String {
    path.rsplit('/').find(|segment| *segment != ITEM).map(key_of).unwrap_or_default()
}

/// The segment that stands for every item of a list.
const ITEM: &str = "*";
/// How a key of that name is written.
const STAR: &str = "~*";

fn push_key(path: &str, key: &str) -> String {
    if key == ITEM { format!("{path}/{STAR}") } else { Pointer::push(path, key) }
}

fn key_of(segment: &str) -> String {
    if segment == STAR { ITEM.to_owned() } else { Pointer::unescape(segment) }
}

fn steps(path: &str) -> Vec<Step> {
    let step = |segment: &str| if segment == ITEM { Step::Any } else { Step::Named(key_of(segment)) };
    path.split('/').skip(1).map(step).collect()
}

/// The lists on the way to a field.
fn lists_above(path: &str) -> impl Iterator<Item = &str> {
    let is_item = |(at, _): &(usize, &str)| {
        let rest = path.get(at + 1..).unwrap_or_default();
        rest == ITEM || rest.starts_with("*/")
    };
    path.match_indices('/').filter(is_item).filter_map(|(end, _)| path.get(..end))
}

/// A field on its way.
struct Field<'f> {
    path: &'f str,
    document: &'f Value,
    convert: &'f [Conversion],
}

/// Carries the value or values of a field to their place, items one by one.
fn carry(
    source: &Value,
    field: &Field<'_>,
    from: &[Step],
    target: &mut Value,
    to: &[Step],
    unplaced: &mut Vec<Unplaced>,
) {
    let (from_head, from_tail) = split_at_list(from);
    let (to_head, to_tail) = split_at_list(to);
    let Some(value) = down(source, from_head) else { return };
    match (from_tail, to_tail) {
        (None, None) => match convert::converted(field.document, value, field.convert) {
            Ok(value) => put(target, to_head, value),
            Err(reason) => unplaced.push(Unplaced { from: field.path.to_owned(), reason }),
        },
        (Some(from_tail), Some(to_tail)) => {
            let Some(items) = value.as_array() else { return };
            let list = reach(target, to_head);
            if !list.is_array() {
                *list = Value::Array(Vec::new());
            }
            let Some(list) = list.as_array_mut() else { return };
            for (index, item) in items.iter().enumerate() {
                if list.len() <= index {
                    list.push(Value::Object(Map::new()));
                }
                if let Some(place) = list.get_mut(index) {
                    carry(item, field, from_tail, place, to_tail, unplaced);
                }
            }
        }
        _ => unplaced.push(Unplaced {
            from: field.path.to_owned(),
            reason: "a list and a single value do not match".to_owned(),
        }),
    }
}

/// The steps before the first list, and those within its items.
fn split_at_list(steps: &[Step]) -> (&[Step], Option<&[Step]>) {
    match steps.iter().position(|step| *step == Step::Any) {
        Some(at) => (steps.get(..at).unwrap_or_default(), steps.get(at + 1..)),
        None => (steps, None),
    }
}

fn down<'v>(value: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Named(name) => value.get(name),
        Step::Any => None,
    })
}

fn reach<'v>(value: &'v mut Value, steps: &[Step]) -> &'v mut Value {
    let mut here = value;
    for step in steps {
        let Step::Named(name) = step else { continue };
        if !here.is_object() {
            *here = Value::Object(Map::new());
        }
        here = match here {
            Value::Object(map) => map.entry(name.clone()).or_insert(Value::Null),
            other => other,
        };
    }
    here
}

fn put(target: &mut Value, steps: &[Step], value: Value) {
    *reach(target, steps) = value;
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
