//! Walks two packs side by side along the table and reports every difference.

use super::change::{Change, ChangeKind};
use super::effect::ChangeEffect;
use super::layers;
use super::shape::{Empty, Keyed, Named, Order, Pair, Shape, Spot, Texts, Verdict};
use super::values::same;
use crate::bundle::Bundle;
use deed_canon::Pointer;
use deed_model::ContextPack;
use serde_json::Value;
use std::collections::BTreeMap;

/// Returns every difference between two packs, apart from their version numbers.
pub(super) fn changes(before: &Bundle, after: &Bundle, old: &ContextPack, new: &ContextPack) -> Vec<Change> {
    let mut walk = Walk { old, new, changes: Vec::new() };
    let pair = (Some(before.document.value()), Some(after.document.value()));
    walk.compare(&layers::PACK, pair, &Place::default(), &[]);
    walk.changes
}

/// Returns the differences of two documents of another shape.
pub(super) fn compare(shape: &Shape, pair: Pair<'_>, at: &Place, old: &ContextPack, new: &ContextPack) -> Vec<Change> {
    let mut walk = Walk { old, new, changes: Vec::new() };
    walk.compare(shape, pair, at, &[]);
    walk.changes
}

/// The position of the walk: in each document, and its name.
#[derive(Clone, Default)]
pub(super) struct Place {
    before: String,
    after: String,
    subject: Option<String>,
    id: String,
}

impl Place {
    /// Creates the position of one pointer in both documents.
    pub(super) fn at(pointer: &str, subject: String) -> Self {
        Self { before: pointer.to_owned(), after: pointer.to_owned(), subject: Some(subject), id: String::new() }
    }

    fn member(&self, key: &str) -> Self {
        Self { before: Pointer::push(&self.before, key), after: Pointer::push(&self.after, key), ..self.clone() }
    }

    fn item(&self, list: &Keyed, id: &str, indexes: (Option<usize>, Option<usize>)) -> Self {
        let push =
            |base: &str, index: Option<usize>| index.map_or_else(String::new, |i| Pointer::push(base, &i.to_string()));
        let id = match list.named {
            Named::Alone => id.to_owned(),
            Named::WithOwner => format!("{}.{id}", self.id),
        };
        Self {
            before: push(&self.before, indexes.0),
            after: push(&self.after, indexes.1),
            subject: Some(format!("{} {id}", list.noun)),
            id,
        }
    }
}

struct Walk<'a> {
    old: &'a ContextPack,
    new: &'a ContextPack,
    changes: Vec<Change>,
}

impl Walk<'_> {
    fn compare(&mut self, shape: &Shape, pair: Pair<'_>, at: &Place, parents: &[Pair<'_>]) {
        if let (Some(before), Some(after)) = pair
            && same(before, after)
        {
            return;
        }
        match (shape, pair) {
            (_, (None, None)) | (Shape::VersionNumber, _) => {}
            (Shape::Words, _) => self.push(pair, at, Verdict::patch("wording that has no effect at run time")),
            (Shape::ModelText, _) => self.push(pair, at, Verdict::minor("a model reads this text").read_by_model()),
            (Shape::Prompt(why), _) => self.push(pair, at, Verdict::major(*why).with(ChangeEffect::PromptText)),
            (Shape::Behaviour(why), _) => self.push(pair, at, Verdict::major(*why)),
            (Shape::Judged(judge), _) => {
                let verdict = judge(&self.spot(pair, parents));
                self.push(pair, at, verdict);
            }
            (Shape::Object(fields), _) => self.object(fields, pair, at, parents),
            (Shape::Keyed(list), _) => self.keyed(list, pair, at, parents),
            (Shape::Texts(list), _) => self.texts(list, pair, at),
        }
    }

    fn spot<'s>(&'s self, (before, after): Pair<'s>, parents: &'s [Pair<'s>]) -> Spot<'s> {
        Spot { before, after, parents, old: self.old, new: self.new }
    }

    fn push(&mut self, (before, after): Pair<'_>, at: &Place, verdict: Verdict) {
        let (what, pointer) = match (before, after) {
            (None, _) => (ChangeKind::Added, &at.after),
            (_, None) => (ChangeKind::Removed, &at.before),
            (Some(_), Some(_)) => (ChangeKind::Changed, &at.after),
        };
        let field = || Pointer::tokens(pointer).collect::<Vec<_>>().join(".");
        self.changes.push(Change {
            layer: Pointer::tokens(pointer).next().unwrap_or_else(|| "pack".to_owned()),
            pointer: pointer.clone(),
            what,
            subject: at.subject.clone().unwrap_or_else(field),
            class: verdict.class,
            effect: verdict.effect,
            why: verdict.why,
            before: before.cloned(),
            after: after.cloned(),
        });
    }

    fn object(&mut self, fields: &[(&str, Shape)], pair: Pair<'_>, at: &Place, parents: &[Pair<'_>]) {
        let (Some(before), Some(after)) = (members(pair.0), members(pair.1)) else {
            return self.push(pair, at, Verdict::major("it has another shape"));
        };
        let inside = [parents, &[pair]].concat();
        let mut keys: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
        let others = before.keys().chain(after.keys()).map(String::as_str).filter(|key| !keys.contains(key));
        let others: std::collections::BTreeSet<&str> = others.collect();
        keys.extend(others);
        for key in keys {
            let shape = fields.iter().find(|(name, _)| *name == key).map_or(&UNKNOWN, |(_, shape)| shape);
            self.compare(shape, (before.get(key), after.get(key)), &at.member(key), &inside);
        }
    }

    fn keyed(&mut self, list: &Keyed, pair: Pair<'_>, at: &Place, parents: &[Pair<'_>]) {
        let (Some(before), Some(after)) = (items(pair.0), items(pair.1)) else {
            return self.push(pair, at, Verdict::major("it has another shape"));
        };
        let inside = [parents, &[pair]].concat();
        let (old, new) = (by_id(before, list.id), by_id(after, list.id));
        for (id, &(i, item)) in &old {
            match new.get(id) {
                Some(&(j, other)) => {
                    let here = at.item(list, &id.0, (Some(i), Some(j)));
                    self.compare(&list.item, (Some(item), Some(other)), &here, &inside);
                }
                None => {
                    let here = at.item(list, &id.0, (Some(i), None));
                    let verdict = (list.removed)(&self.spot((Some(item), None), &inside));
                    self.push((Some(item), None), &here, verdict);
                }
            }
        }
        for (id, &(j, item)) in new.iter().filter(|(id, _)| !old.contains_key(*id)) {
            let verdict = (list.added)(&self.spot((None, Some(item)), &inside));
            self.push((None, Some(item)), &at.item(list, &id.0, (None, Some(j))), verdict);
        }
        self.order(list.order, list.noun, pair, at, common(&old, &new), common(&new, &old));
    }

    fn texts(&mut self, list: &Texts, pair: Pair<'_>, at: &Place) {
        let (Some(before), Some(after)) = (items(pair.0), items(pair.1)) else {
            return self.push(pair, at, Verdict::major("it has another shape"));
        };
        let (old, new) = (by_id(before, ""), by_id(after, ""));
        let here = |base: &str, i: usize, id: &str| {
            Place::at(&Pointer::push(base, &i.to_string()), format!("{} {}", list.noun, deed_diag::quote(id)))
        };
        for (id, &(i, item)) in old.iter().filter(|(id, _)| !new.contains_key(*id)) {
            let (class, effect, why) = list.removed;
            let unbounded = list.empty == Empty::Unbounded && after.is_empty();
            let effect = if unbounded { ChangeEffect::Unproven } else { effect };
            let verdict = Verdict { class, effect, why: why.to_owned() };
            self.push((Some(item), None), &here(&at.before, i, &id.0), verdict);
        }
        for (id, &(j, item)) in new.iter().filter(|(id, _)| !old.contains_key(*id)) {
            let (class, effect, why) = list.added;
            let bounded = list.empty == Empty::Unbounded && before.is_empty();
            let effect = if bounded { ChangeEffect::Tightens } else { effect };
            let verdict = Verdict { class, effect, why: why.to_owned() };
            self.push((None, Some(item)), &here(&at.after, j, &id.0), verdict);
        }
        self.order(list.order, list.noun, pair, at, common(&old, &new), common(&new, &old));
    }

    fn order(&mut self, order: Order, noun: &str, pair: Pair<'_>, at: &Place, old: Vec<&Id>, new: Vec<&Id>) {
        if old == new {
            return;
        }
        let verdict = match order {
            Order::Free => Verdict::patch("only the order differs, which has no meaning"),
            Order::Meant(why) => Verdict::major(why),
            Order::Read(why) => Verdict::major(why).with(ChangeEffect::PromptText),
        };
        let named = Place { subject: Some(format!("order of each {noun}")), ..at.clone() };
        self.push(pair, &named, verdict);
    }
}

const UNKNOWN: Shape = Shape::Behaviour("the table of classes does not know this key");

/// An identity, and the index among several with the same.
type Id = (String, usize);
type Found<'v> = BTreeMap<Id, (usize, &'v Value)>;

fn by_id<'v>(list: &'v [Value], key: &str) -> Found<'v> {
    let mut found = Found::new();
    for (i, item) in list.iter().enumerate() {
        let name = item.get(key).unwrap_or(item);
        let name = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
        let nth = found.keys().filter(|(other, _)| *other == name).count();
        found.insert((name, nth), (i, item));
    }
    found
}

/// Returns the identities on both sides, in the order of the first.
fn common<'f>(one: &'f Found<'_>, other: &Found<'_>) -> Vec<&'f Id> {
    let mut ids: Vec<(usize, &Id)> =
        one.iter().filter(|(id, _)| other.contains_key(*id)).map(|(id, (i, _))| (*i, id)).collect();
    ids.sort_unstable();
    ids.into_iter().map(|(_, id)| id).collect()
}

/// Returns the members of an object; none for an absent one.
fn members(value: Option<&Value>) -> Option<&serde_json::Map<String, Value>> {
    static EMPTY: std::sync::LazyLock<serde_json::Map<String, Value>> = std::sync::LazyLock::new(serde_json::Map::new);
    value.map_or(Some(&EMPTY), Value::as_object)
}

/// Returns the items of a list; none for an absent one.
fn items(value: Option<&Value>) -> Option<&[Value]> {
    value.map_or(Some(&[]), |v| v.as_array().map(Vec::as_slice))
}
