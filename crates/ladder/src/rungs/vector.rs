//! L1, vector rename: an unknown name enters; if one missing canonical name is near and no other is,
//! it leaves under that name. Anything less sure is named and left.

mod alike;

pub(crate) use alike::same_letters;

use crate::climb::{Cx, Draft, Finding, Inputs, Output};
use crate::edits::Cause;
use crate::embed::{Choice, Embedder, Entry, Limits, Match, Names, Ranked, Similarity, Vector, singular, words};
use crate::ladder::Ladder;
use crate::naming::same_but_style;
use crate::place::{push, push_index};
use crate::rungs::structure;
use deed_canon::Pointer;
use deed_diag::{Invariant as _, codes, quote};
use deed_imprint::{Expected, ValueKind};
use deed_model::Rung;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// A name is a possible other name for a missing key from this likeness on, in thousandths.
const POSSIBLE: u16 = 500;
/// How sure a rename is to the same name in another form, in thousandths.
const SAME_NAME: u16 = 1000;

/// Renames unknown keys that one missing name is near to.
pub(crate) fn rename(cx: Cx<'_>, inputs: Inputs<'_>) -> Output {
    let mut draft = Draft::new(inputs);
    if cx.ladder.contract.vector.is_some() {
        let mut strangers = Vec::new();
        collect(cx.ladder, &cx.ladder.imprint.expected(), inputs.payload, &mut String::new(), &mut strangers);
        let mut memory = Memory::default();
        for stranger in strangers {
            object(cx, &mut draft, stranger, &mut memory);
        }
    }
    draft.into_output()
}

/// An object with unknown names.
struct Strange {
    at: String,
    unknown: Vec<String>,
    missing: Vec<Entry>,
    /// The names that the schema knows here.
    taken: Vec<String>,
}

/// What was chosen for a name among missing ones: lists repeat the same objects.
#[derive(Default)]
struct Memory {
    /// By the entries, all that is said of them included.
    ranked: HashMap<String, Rank>,
    chosen: HashMap<(String, String), Choice>,
}

/// A vocabulary made ready, by whichever embedder.
enum Rank {
    Names(Box<Ranked<Names>>),
    Other(Box<Ranked<Shared>>),
}

impl Rank {
    fn new(ladder: &Ladder, entries: &[Entry]) -> Self {
        let subject = ladder.contract.vector.as_ref().map(|vector| vector.subject.as_str()).unwrap_or_default();
        match &ladder.embedder {
            Some(embedder) => Self::Other(Box::new(Ranked::new(Shared(Arc::clone(embedder)), entries))),
            None => Self::Names(Box::new(Ranked::names(subject, entries))),
        }
    }

    fn nearest(&self, name: &str) -> u16 {
        let ranked = match self {
            Self::Names(ranked) => ranked.rank(name),
            Self::Other(ranked) => ranked.rank(name),
        };
        ranked.first().map_or(0, |(_, similarity)| similarity.thousandths())
    }

    fn choose(&self, name: &str, limits: Limits) -> Choice {
        match self {
            Self::Names(ranked) => ranked.choose(name, limits),
            Self::Other(ranked) => ranked.choose(name, limits),
        }
    }
}

fn collect(ladder: &Ladder, expected: &Expected<'_>, value: &Value, at: &mut String, found: &mut Vec<Strange>) {
    let length = at.len();
    match value {
        Value::Object(map) => {
            let strangers = expected.strangers(value).into_iter();
            let unknown: Vec<String> = strangers.filter(|key| !is_word(ladder, at, key)).map(str::to_owned).collect();
            if !unknown.is_empty() {
                let missing = missing(ladder, expected, value, at);
                let taken: Vec<String> = expected.keys(value).into_iter().map(|key| key.name.to_owned()).collect();
                if !missing.is_empty() || unknown.iter().any(|name| taken_by(&taken, name).is_some()) {
                    found.push(Strange { at: at.clone(), unknown, missing, taken });
                }
            }
            for (key, inner) in map.iter().filter(|(_, inner)| may_hold_names(inner)) {
                push(at, key);
                collect(ladder, &expected.key(value, key), inner, at, found);
                at.truncate(length);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate().filter(|(_, inner)| may_hold_names(inner)) {
                push_index(at, index);
                collect(ladder, &expected.item(value, index), inner, at, found);
                at.truncate(length);
            }
        }
        _ => {}
    }
}

/// The known name that differs from a name in style alone.
fn taken_by<'n>(known: &'n [String], name: &str) -> Option<&'n String> {
    known.iter().find(|known| same_but_style(known, name))
}

/// Whether a key is a canonical name of the contract's own vocabulary.
pub(crate) fn is_word(ladder: &Ladder, at: &str, key: &str) -> bool {
    ladder.words.iter().any(|(place, index)| applies(ladder, place.as_ref(), *index, at, key))
}

/// A missing name with all that the schema and the contract say of it.
pub(crate) fn entry(ladder: &Ladder, expected: &Expected<'_>, object: &Value, at: &str, key: &str) -> Entry {
    let known = missing(ladder, expected, object, at).into_iter().find(|entry| entry.name == key);
    known.unwrap_or_else(|| Entry::new(key))
}

/// Names that may be meant by single entries, each pair judged once.
#[derive(Default)]
pub(crate) struct Likeness {
    /// By the entry, all that is said of it included.
    known: RefCell<HashMap<String, Judge>>,
}

/// An entry made ready, and the names that it was compared with.
struct Judge {
    rank: Rank,
    names: Names,
    judged: HashMap<String, bool>,
}

impl Likeness {
    /// Returns whether a name may be another one for an entry. Names that only begin alike are enough.
    pub(crate) fn may_be(&self, ladder: &Ladder, entry: &Entry, name: &str) -> bool {
        let mut known = self.known.borrow_mut();
        let judge = known.entry(format!("{entry:?}")).or_insert_with(|| Judge::new(ladder, entry));
        if let Some(judged) = judge.judged.get(name) {
            return *judged;
        }
        let judged = judge.may_be(entry, name);
        judge.judged.insert(name.to_owned(), judged);
        judged
    }
}

impl Judge {
    fn new(ladder: &Ladder, entry: &Entry) -> Self {
        Self {
            rank: Rank::new(ladder, std::slice::from_ref(entry)),
            names: Names::new().knowing(named(entry)),
            judged: HashMap::new(),
        }
    }

    fn may_be(&self, entry: &Entry, name: &str) -> bool {
        let meant = |other: &str| alike::may_be_one(name, other) || self.names.share_meaning(name, other);
        named(entry).any(meant) || self.rank.nearest(name) >= POSSIBLE
    }
}

/// The names of an entry.
fn named(entry: &Entry) -> impl Iterator<Item = &str> {
    std::iter::once(&entry.name).chain(&entry.aliases).map(String::as_str)
}

fn may_hold_names(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

fn applies(ladder: &Ladder, place: Option<&crate::place::Place>, index: usize, at: &str, key: &str) -> bool {
    let word = ladder.contract.vector.as_ref().and_then(|vector| vector.vocabulary.get(index));
    word.is_some_and(|word| word.name == key) && place.is_none_or(|place| place.is_at(at))
}

/// The canonical names that an object could have and does not.
fn missing(ladder: &Ladder, expected: &Expected<'_>, value: &Value, at: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = expected
        .keys(value)
        .into_iter()
        .filter(|key| value.get(key.name).is_none())
        .map(|key| Entry::new(key.name).described(key.note))
        .collect();
    let words = ladder.contract.vector.as_ref().map(|vector| vector.vocabulary.as_slice()).unwrap_or_default();
    for (place, index) in &ladder.words {
        let word = words.get(*index).invariant("a word is one of the vocabulary");
        if place.as_ref().is_some_and(|place| !place.is_at(at)) || value.get(&word.name).is_some() {
            continue;
        }
        let known = entries.iter().position(|entry| entry.name == word.name);
        // A word that the schema knows elsewhere is not missing here.
        if known.is_none() && expected.is_known(value) && place.is_none() {
            continue;
        }
        let mut entry = known.map_or_else(|| Entry::new(&word.name), |at| entries.remove(at));
        entry.aliases.extend(word.aliases.iter().cloned());
        if !word.description.is_empty() {
            entry.description = format!("{}; {}", word.description, entry.description);
        }
        entries.insert(known.unwrap_or(entries.len()), entry);
    }
    entries
}

fn object(cx: Cx<'_>, draft: &mut Draft<'_>, strange: Strange, memory: &mut Memory) {
    let Strange { at, unknown, missing, taken } = strange;
    let mut targets: HashMap<String, Vec<(String, u16)>> = HashMap::new();
    let vocabulary = format!("{missing:?}");
    for name in unknown {
        let missing_too = |known: &&String| missing.iter().any(|entry| entry.name == **known);
        if let Some(known) = taken_by(&taken, &name).filter(|known| !missing_too(known)) {
            let message = format!("{} is {} in another style, which is there already", quote(&name), quote(known));
            let place = Pointer::push(&at, &name);
            let finding = Finding::remark(Rung::L1, codes::RENAME_TARGET_TAKEN, &place, message);
            draft.find(finding.help("keep one of them"));
            continue;
        }
        let choice = match same_name(cx, draft.payload(), (&at, &name), (&missing, &taken)) {
            Some(index) => Choice::Rename(Match { index, similarity: Similarity::new(SAME_NAME) }),
            None => memory.choose(cx.ladder, &vocabulary, &missing, &name),
        };
        let named = |index: usize| missing.get(index).invariant("a choice is one of the missing names").name.clone();
        match choice {
            Choice::Rename(found) => {
                targets.entry(named(found.index)).or_default().push((name, found.similarity.thousandths()));
            }
            Choice::Tie(first, second) => {
                let message = format!(
                    "{} is as near to {} as to {}",
                    quote(&name),
                    quote(&named(first.index)),
                    quote(&named(second.index))
                );
                let place = Pointer::push(&at, &name);
                let finding = Finding::remark(Rung::L1, codes::FIELD_NAME_TIE, &place, message);
                draft.find(finding.help("list it as a synonym of the one that is meant"));
            }
            Choice::Unknown(near) => {
                let help = near.map(|near| {
                    format!(
                        "the nearest is {}, at {} thousandths",
                        quote(&named(near.index)),
                        near.similarity.thousandths()
                    )
                });
                let message = format!("unknown name {}, and no missing name is near enough", quote(&name));
                let place = Pointer::push(&at, &name);
                draft.find(Finding::remark(Rung::L1, codes::UNKNOWN_FIELD_NAME, &place, message).help_opt(help));
            }
        }
    }
    let mut targets: Vec<_> = targets.into_iter().collect();
    targets.sort();
    for (to, names) in targets {
        apply(cx, draft, &at, (&to, &names));
    }
}

/// The only missing name that a name is in another style, in the other number, or without the word for its kind.
fn same_name(
    cx: Cx<'_>,
    payload: &Value,
    (at, name): (&str, &str),
    (missing, taken): (&[Entry], &[String]),
) -> Option<usize> {
    let object = payload.pointer(at)?;
    let value = object.get(name)?;
    let expected = cx.expected(payload, at);
    let only = |is: &dyn Fn(&str) -> bool| {
        let mut found = missing.iter().enumerate().filter(|(_, entry)| is(&entry.name)).map(|(index, _)| index);
        found.next().filter(|_| found.next().is_none())
    };
    let in_other_number = |other: &str| {
        let place = expected.key(object, other);
        let lists = place.takes_only(ValueKind::List);
        let kinds = value.is_array() == lists && (lists || !place.takes(ValueKind::List));
        kinds && !place.is_anything() && differ_in_number(name, other)
    };
    let suffixed = |other: &str| is_with_kind(name, other, value) && is_alone(name, taken);
    only(&|other| same_but_style(name, other)).or_else(|| only(&in_other_number)).or_else(|| only(&suffixed))
}

/// Whether two names differ in the number of their last word alone: `ingredient` and `ingredients`.
fn differ_in_number(one: &str, two: &str) -> bool {
    let (one, two) = (words(one), words(two));
    let (Some((last, rest)), Some((other, others))) = (one.split_last(), two.split_last()) else { return false };
    let base = |word: &str| singular(word).into_iter().last().unwrap_or_else(|| word.to_owned());
    rest == others && last != other && last.len() > 3 && base(last) == base(other)
}

/// Whether a name is another one without the word at its end that says that it is a time or a date, and its value is
/// one.
fn is_with_kind(name: &str, other: &str, value: &Value) -> bool {
    let (name, other) = (words(name), words(other));
    let Some((kind, rest)) = other.split_last() else { return false };
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return false,
    };
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let fits = match kind.as_str() {
        "time" => text.contains(':') && digits >= 3,
        "date" => text.contains(['-', '/', '.', ' ']) && digits >= 4 && !text.contains(':'),
        "at" | "timestamp" | "datetime" => digits >= 8,
        _ => false,
    };
    let is_kind = |word: &String| ["time", "date", "at"].contains(&word.as_str());
    fits && rest == name && !name.iter().any(is_kind)
}

/// Whether at most one known name begins with the words of a name.
fn is_alone(name: &str, taken: &[String]) -> bool {
    let name = words(name);
    taken.iter().filter(|known| words(known).starts_with(&name)).count() <= 1
}

fn apply(cx: Cx<'_>, draft: &mut Draft<'_>, at: &str, (to, names): (&str, &[(String, u16)])) {
    let [(name, likeness)] = names else {
        let all: Vec<String> = names.iter().map(|(name, _)| quote(name)).collect();
        let message = format!("{} would all become {}", all.join(" and "), quote(to));
        let finding = Finding::remark(Rung::L1, codes::RENAME_TARGET_TAKEN, at, message);
        draft.find(finding.help("keep one of them"));
        return;
    };
    let place = Pointer::push(at, name);
    if !draft.is_free(&place) {
        return;
    }
    if !fits(cx, draft, (at, name), to) {
        let message = format!("{} is near to {}, and its value does not fit there", quote(name), quote(to));
        draft.find(Finding::remark(Rung::L1, codes::RENAME_TARGET_TAKEN, &place, message));
        return;
    }
    let embedder = cx.ladder.embedder.as_ref().map_or("names-1", |embedder| embedder.id());
    let rule = format!("{name}→{to} ({embedder})");
    let cause =
        Cause { rung: Rung::L1, rule: &rule, confidence: *likeness, why: "the names are near, and no other is" };
    draft.rename(at, (name, to), cause);
}

/// Returns whether the value of a key fits under another name of the same object.
fn fits(cx: Cx<'_>, draft: &Draft<'_>, (at, name): (&str, &str), to: &str) -> bool {
    let payload = draft.payload();
    let Some(object) = payload.pointer(at) else { return false };
    let Some(value) = object.get(name) else { return false };
    let expected = cx.expected(payload, at).key(object, to);
    // An object under the same name in another style belongs there, and its own keys are checked next.
    let nested = || {
        let kind = if value.is_object() { ValueKind::Object } else { ValueKind::List };
        may_hold_names(value) && same_but_style(name, to) && expected.takes_only(kind)
    };
    let fixable = || structure::is_fixable(cx, draft.inputs.source, &Pointer::push(at, to), value, &expected);
    expected.fits(value) || nested() || fixable()
}

impl Memory {
    fn choose(&mut self, ladder: &Ladder, vocabulary: &str, entries: &[Entry], name: &str) -> Choice {
        let key = (vocabulary.to_owned(), name.to_owned());
        if let Some(chosen) = self.chosen.get(&key) {
            return *chosen;
        }
        let ranked = self.ranked.entry(key.0.clone()).or_insert_with(|| Rank::new(ladder, entries));
        let chosen = ranked.choose(name, ladder.limits);
        self.chosen.insert(key, chosen);
        chosen
    }
}

/// An embedder that several rankings share.
struct Shared(Arc<dyn Embedder + Send + Sync>);

impl Embedder for Shared {
    fn id(&self) -> &str {
        self.0.id()
    }

    fn embed(&self, text: &str) -> Vector {
        self.0.embed(text)
    }

    fn tells_apart(&self, name: &str, other: &str) -> bool {
        self.0.tells_apart(name, other)
    }

    fn leaves_open(&self, name: &str, chosen: &str, other: &str) -> bool {
        self.0.leaves_open(name, chosen, other)
    }
}
