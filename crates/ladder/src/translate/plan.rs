//! The plan of a translation: fields and places enter, the moves leave, with every field that found no place.
//!
//! Must hold: no place is taken twice, and what is certain is placed before what is only similar.

use super::carry::Field;
use super::path::{above, is_telling, last, lists_above, steps, words};
use super::slots::{DEEPEST, Slot};
use super::{Placed, Unplaced, convert};
use crate::embed::{Choice, Entry, Limits, Names, Ranked};
use crate::naming::same_but_style;
use deed_diag::Invariant as _;
use deed_model::Conversion;
use std::collections::{BTreeMap, BTreeSet};

/// How sure a place of the same name is where what it stands in has an unlike name, in thousandths.
const UNLIKE_PARENTS: u16 = 800;

/// The fields and places of a translation, and what was decided.
pub(super) struct Plan<'p> {
    pub(super) slots: &'p [Slot],
    /// The fields of the old vocabulary.
    pub(super) sources: BTreeSet<String>,
    /// The slots that are lists of objects, whose fields have places of their own.
    pub(super) of_objects: BTreeSet<String>,
    /// Fields that are empty lists.
    pub(super) empty: &'p BTreeSet<String>,
    pub(super) synonyms: &'p BTreeMap<String, String>,
    pub(super) placed: Vec<Placed>,
    pub(super) unplaced: Vec<Unplaced>,
}

impl Plan<'_> {
    /// Where each field goes. What is certain is placed first, so that likeness chooses among what is left.
    pub(super) fn place(&mut self, fields: &[String]) -> Vec<(String, String)> {
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
    pub(super) fn note(&mut self, field: &Field<'_>) {
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
        let named = |index: usize| slots.get(index).invariant("a choice is one of the free places").path.clone();
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
