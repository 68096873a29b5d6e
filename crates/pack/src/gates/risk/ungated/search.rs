//! The search for a request and a call in which no guard is active, by the evaluator that decides at the call.
//!
//! Guards that share no path are independent of each other, so each group is enumerated by itself: the number of
//! combinations adds up and does not multiply.

use super::super::Exposed;
use super::guards::{Effect, Guard, admits};
use super::values::{self, Candidate, Tried};
use crate::gates::GateInput;
use deed_diag::Invariant as _;
use deed_logic::{Mode, Program};
use deed_model::{ApprovalMode, ArgConstraint};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The number of combinations of one group that are tried.
const MOST_TRIED: u128 = 8192;
/// The number of tried combinations around which single values are varied, where not all were tried.
const MOST_VARIED: usize = 256;
/// Spreads the tried combinations over all.
const STEP: u128 = 0x9E37_79B9_7F4A_7C15;

/// The maximum number of kinds of requests that are searched for.
const MOST_KINDS: u128 = 2048;
/// The same for two paths, where all together make too many kinds.
const MOST_KINDS_OF_PAIR: u128 = 144;
/// The number of combinations of one group that are tried for all kinds together, and for each of them at least.
const MOST_IN_ALL: u128 = 131_072;
const LEAST_TRIED: u128 = 64;

/// What the requests are told apart by: the line between calls with and without an approval is drawn for each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kinds {
    /// Who asks, and in which mode.
    Users,
    /// The texts of a call that nothing bounds: the caller may choose any.
    Texts,
    /// What the request states, such as a channel, a flag or a score.
    Facts,
    /// Who asks, and what the request states.
    Both,
}

/// The results of a search, for each kind of request.
pub(super) struct Searched {
    pub(super) kinds: Vec<Found>,
    /// The number of paths that tell kinds apart, if they are combined two by two only because all together have too many
    /// combinations.
    pub(super) in_pairs: Option<usize>,
}

/// The result of a search for one kind of request.
pub(super) struct Found {
    /// The values of a request and a call that no guard stops, by path; `None` if none was found.
    pub(super) silent: Option<BTreeMap<String, Value>>,
    /// True if every combination was tried.
    pub(super) complete: bool,
    /// True if a gate of the permission is active for some admitted call.
    pub(super) gate_reached: bool,
    /// Arguments, by name, whose value alone decides whether a guard stops the call.
    pub(super) deciding: BTreeSet<String>,
}

impl Found {
    /// Joins what was found for each kind of request, as if the pack did not distinguish them.
    pub(super) fn merged(kinds: Vec<Self>) -> Option<Self> {
        kinds.into_iter().reduce(|mut all, own| {
            all.silent = all.silent.or(own.silent);
            all.complete &= own.complete;
            all.gate_reached |= own.gate_reached;
            all.deciding.extend(own.deciding);
            all
        })
    }

    pub(super) fn decides(&self, argument: &str) -> bool {
        self.deciding.contains(argument)
    }
}

pub(super) struct Search<'s> {
    guards: &'s [Guard<'s>],
    arguments: &'s BTreeMap<String, ArgConstraint>,
    /// The programs of ties, by argument.
    ties: BTreeMap<&'s str, Program>,
    paths: BTreeMap<String, Vec<Candidate>>,
    /// The paths that tell the kinds apart.
    kinds: BTreeMap<String, Vec<Candidate>>,
    /// The number of combinations of one group that are tried for one kind.
    most: u128,
    base: Value,
}

/// The paths and guards that depend on each other.
struct Group<'s> {
    paths: Vec<(&'s str, &'s [Candidate])>,
    guards: Vec<&'s Guard<'s>>,
    ties: Vec<(&'s str, &'s Program)>,
}

/// The end of one combination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The bounds do not admit the call, or the tool is hidden.
    Refused,
    /// A guard stops it because it cannot be evaluated.
    Erred,
    Stopped,
    Silent,
}

impl<'s> Search<'s> {
    pub(super) fn of(
        input: &'s GateInput<'_>,
        exposed: &'s Exposed<'_>,
        intent: &str,
        (guards, by): (&'s [Guard<'s>], Kinds),
    ) -> Self {
        let arguments = &exposed.permission.arg_constraints;
        let tie = |(name, bound): (&'s String, &ArgConstraint)| {
            Some((name.as_str(), Program::compile(bound.equals.as_ref()?, Mode::Strict).ok()?))
        };
        let ties = arguments.iter().filter_map(tie).collect();
        let tied: BTreeSet<String> = arguments.values().flat_map(values::tied_paths).collect();
        let all = values::of(guards, arguments, exposed.mode);
        let is_kind = |path: &str, tried: &Tried| match by {
            Kinds::Users => values::is_personal(path, tried),
            Kinds::Texts => values::is_free_text(path, tried, arguments),
            Kinds::Facts => values::is_fact(path, tried),
            Kinds::Both => values::is_personal(path, tried) || values::is_fact(path, tried),
        };
        let (kinds, paths): (BTreeMap<_, _>, BTreeMap<_, _>) =
            all.into_iter().partition(|(path, tried)| is_kind(path, tried) && !tied.contains(path));
        let values = |tried: BTreeMap<String, Tried>| tried.into_iter().map(|(path, own)| (path, own.values)).collect();
        let (kinds, paths) = (values(kinds), values(paths));
        let base = base(input, exposed, intent);
        Self { guards, arguments, ties, paths, kinds, most: MOST_TRIED, base }
    }

    /// Returns true if both users and facts tell requests apart, so that they have to be combined.
    pub(super) fn is_mixed(&self) -> bool {
        let personal = self.kinds.keys().filter(|path| values::is_of_user(path)).count();
        personal > 0 && personal < self.kinds.len()
    }

    /// Searches for each kind of request that the guards distinguish, and for one that they do not name.
    pub(super) fn run(mut self) -> Searched {
        let (all, free) = (std::mem::take(&mut self.kinds), std::mem::take(&mut self.paths));
        let sets = combined(&all);
        let in_pairs = (sets.len() > 1).then_some(all.len());
        let each = if in_pairs.is_some() { MOST_KINDS_OF_PAIR } else { MOST_KINDS };
        let count = |set: &BTreeSet<String>| {
            combinations(all.iter().filter(|(path, _)| set.contains(*path)).map(|(_, values)| values)).min(each)
        };
        self.most = MOST_TRIED.min(MOST_IN_ALL / sets.iter().map(count).sum::<u128>().max(1)).max(LEAST_TRIED);
        let mut kinds = Vec::new();
        for set in sets {
            let (own, rest): (BTreeMap<_, _>, BTreeMap<_, _>) =
                all.clone().into_iter().partition(|(path, _)| set.contains(path));
            self.kinds = own;
            self.paths = free.clone().into_iter().chain(rest).collect();
            kinds.extend(self.of_kinds(each));
        }
        Searched { kinds, in_pairs }
    }

    /// Searches for each kind that the paths of `kinds` tell apart; if there are more than `most`, for some of them.
    fn of_kinds(&mut self, most: u128) -> Vec<Found> {
        let total = combinations(self.kinds.values());
        let complete = total <= most;
        let base = self.base.clone();
        let kinds = (0..total.min(most)).map(|k| if complete { k } else { k.wrapping_mul(STEP) % total });
        let kinds: Vec<u128> = kinds.collect();
        let search = |number: u128| {
            self.base.clone_from(&base);
            let silent = self.assume(number);
            let mut found = Found { silent: Some(silent), complete, gate_reached: false, deciding: BTreeSet::new() };
            for group in self.groups() {
                self.enumerate(&group, &mut found);
            }
            found
        };
        let found = kinds.into_iter().map(search).collect();
        self.base = base;
        found
    }

    /// Puts a kind of request into the context, and returns its values.
    fn assume(&mut self, number: u128) -> BTreeMap<String, Value> {
        let mut values = BTreeMap::new();
        let mut rest = number;
        for (path, candidates) in &self.kinds {
            let size = candidates.len().max(1) as u128;
            let at = usize::try_from(rest % size).unwrap_or_default();
            rest /= size;
            if let Some(Some(value)) = candidates.get(at)
                && set(&mut self.base, path, value)
            {
                values.insert(path.clone(), value.clone());
            }
        }
        values
    }

    /// Returns the groups: guards are joined by the paths that they read, arguments by what they are tied to.
    fn groups(&self) -> Vec<Group<'_>> {
        let mut sets: Vec<(BTreeSet<String>, Vec<&Guard<'_>>)> = Vec::new();
        let of_guards = self.guards.iter().map(|guard| {
            let read: BTreeSet<String> = guard.reads().into_iter().filter(|p| self.paths.contains_key(p)).collect();
            (read, vec![guard])
        });
        let of_ties = self.arguments.iter().filter(|(_, bound)| bound.equals.is_some()).map(|(name, bound)| {
            let own = format!("call.arguments.{name}");
            let read = values::tied_paths(bound).into_iter().chain([own]).filter(|p| self.paths.contains_key(p));
            (read.collect(), Vec::new())
        });
        for (mut paths, mut guards) in of_guards.chain(of_ties) {
            let (joined, apart): (Vec<_>, Vec<_>) =
                sets.into_iter().partition(|(own, _)| own.intersection(&paths).next().is_some());
            for (own, more) in joined {
                paths.extend(own);
                guards.extend(more);
            }
            sets = apart;
            sets.push((paths, guards));
        }
        sets.into_iter().map(|(paths, guards)| self.group(&paths, guards)).collect()
    }

    fn group<'g>(&'g self, paths: &BTreeSet<String>, guards: Vec<&'g Guard<'g>>) -> Group<'g> {
        let own = |name: &str| format!("call.arguments.{name}");
        let tied = self.ties.iter().filter(|(name, _)| paths.contains(&own(name)));
        let ties: Vec<(&str, &Program)> = tied.map(|(name, program)| (*name, program)).collect();
        let is_tied = |path: &str| ties.iter().any(|(name, _)| path == own(name));
        let free = self.paths.iter().filter(|(path, _)| paths.contains(*path) && !is_tied(path));
        let paths = free.map(|(path, values)| (path.as_str(), values.as_slice())).collect();
        Group { paths, guards, ties }
    }

    fn enumerate(&self, group: &Group<'_>, found: &mut Found) {
        let sizes = group.paths.iter().map(|(_, values)| values.len().max(1) as u128);
        let total = sizes.clone().try_fold(1_u128, u128::checked_mul).unwrap_or(u128::MAX);
        let complete = total <= self.most;
        found.complete &= complete;
        let numbers: Vec<u128> = match complete {
            true => (0..total).collect(),
            false => (0..self.most).map(|k| k.wrapping_mul(STEP) % total).collect(),
        };
        let mut ends: BTreeMap<u128, End> = BTreeMap::new();
        let mut silent = None;
        for number in numbers {
            let (end, values, gated) = self.judge(group, number);
            found.gate_reached |= gated;
            // The largest call is shown.
            if end == End::Silent && silent.as_ref().is_none_or(|known| size_of(&values) > size_of(known)) {
                silent = Some(values);
            }
            ends.insert(number, end);
        }
        self.vary(group, complete, ends, found);
        found.silent = match (found.silent.take(), silent) {
            (Some(mut all), Some(own)) => {
                all.extend(own);
                Some(all)
            }
            _ => None,
        };
    }

    /// Finds the arguments whose value alone decides whether a guard stops a call.
    fn vary(&self, group: &Group<'_>, complete: bool, mut ends: BTreeMap<u128, End>, found: &mut Found) {
        let passing = ends.iter().filter(|(_, end)| **end == End::Silent).map(|(number, _)| *number);
        let varied = MOST_VARIED.min(usize::try_from(self.most / 8).unwrap_or(MOST_VARIED));
        let passing: Vec<u128> = passing.take(if complete { usize::MAX } else { varied }).collect();
        let mut stride = 1_u128;
        for (path, values) in &group.paths {
            let size = values.len().max(1) as u128;
            let names = self.arguments_of(group, path);
            let is_open = !names.iter().all(|name| found.deciding.contains(name));
            let mut stopped = |number: u128| {
                let end = *ends.entry(number).or_insert_with(|| self.judge(group, number).0);
                end == End::Stopped
            };
            let decides = is_open
                && passing.iter().any(|number| {
                    let digit = number / stride % size;
                    (0..size).any(|other| stopped(number - digit * stride + other * stride))
                });
            if decides {
                found.deciding.extend(names);
            }
            stride = stride.saturating_mul(size);
        }
    }

    /// Returns the arguments that a path states: itself, or those that are tied to it.
    fn arguments_of(&self, group: &Group<'_>, path: &str) -> Vec<String> {
        if let Some(name) = path.strip_prefix("call.arguments.") {
            return vec![name.split('.').next().unwrap_or(name).to_owned()];
        }
        let reads = |program: &Program| program.variables().iter().any(|used| used.path.join(".") == path);
        let tied = group.ties.iter().filter(|(_, program)| reads(program));
        tied.map(|(name, _)| (*name).to_owned()).collect()
    }

    /// Returns the end of one combination, its values, and whether a gate is active for an admitted call.
    fn judge(&self, group: &Group<'_>, number: u128) -> (End, BTreeMap<String, Value>, bool) {
        let mut data = self.base.clone();
        let mut values = BTreeMap::new();
        let mut rest = number;
        for (path, candidates) in &group.paths {
            let size = candidates.len().max(1) as u128;
            let at = usize::try_from(rest % size).invariant("a place among candidates is below their number");
            rest /= size;
            let Some(Some(value)) = candidates.get(at) else { continue };
            // What is read beneath a value that is no object is not there, and not shown.
            if set(&mut data, path, value) {
                values.insert((*path).to_owned(), value.clone());
            }
        }
        for (name, tie) in &group.ties {
            // A tie without a value hides the tool.
            let Ok(value) = tie.eval(&data) else { return (End::Refused, values, false) };
            let path = format!("call.arguments.{name}");
            set(&mut data, &path, &value);
            values.insert(path, value);
        }
        if !admits(self.arguments.iter(), &data) {
            return (End::Refused, values, false);
        }
        let effects: Vec<(Effect, bool)> = group.guards.iter().map(|g| (g.effect(&data), g.is_gate)).collect();
        let gated = effects.iter().any(|(effect, is_gate)| *is_gate && *effect == Effect::Stops);
        let has = |wanted: Effect| effects.iter().any(|(effect, _)| *effect == wanted);
        let end = match (has(Effect::Stops), has(Effect::Errs)) {
            (true, _) => End::Stopped,
            (false, true) => End::Erred,
            (false, false) => End::Silent,
        };
        (end, values, gated)
    }
}

/// Returns the number of combinations of lists of values.
fn combinations<'v>(mut lists: impl Iterator<Item = &'v Vec<Candidate>>) -> u128 {
    lists.try_fold(1_u128, |total, values| total.checked_mul(values.len().max(1) as u128)).unwrap_or(u128::MAX)
}

/// Returns the sets of paths whose values are combined to kinds: all of them, or every two if that makes too many kinds.
fn combined(paths: &BTreeMap<String, Vec<Candidate>>) -> Vec<BTreeSet<String>> {
    if combinations(paths.values()) <= MOST_KINDS || paths.len() < 3 {
        return vec![paths.keys().cloned().collect()];
    }
    let names: Vec<&String> = paths.keys().collect();
    let pairs = names.iter().enumerate().flat_map(|(i, one)| names.iter().skip(i + 1).map(move |other| (*one, *other)));
    pairs.map(|(one, other)| BTreeSet::from([one.clone(), other.clone()])).collect()
}

/// Returns the context of a request of an intent without anything that the caller states.
fn base(input: &GateInput<'_>, exposed: &Exposed<'_>, intent: &str) -> Value {
    let meta = &input.pack.pack_meta;
    let entries = input.pack.intent_layer.as_ref().map(|layer| layer.catalog.as_slice()).unwrap_or_default();
    let entry = entries.iter().find(|entry| entry.id == intent);
    json!({
        "call": { "tool": exposed.name(), "arguments": {} },
        "intent": {
            "id": intent,
            "class": entry.map(|entry| &entry.intent_class),
            "task": entry.map(|entry| &entry.task_id),
        },
        "tenant": { "tenant_id": meta.tenant.tenant_id, "name": meta.tenant.name },
        "env": meta.environment_defaults,
        "request": { "context": {} },
        "user": {},
        "safety_mode": ApprovalMode::Destructive.as_str(),
    })
}

/// Returns the sum of the numbers among the arguments of a call.
fn size_of(values: &BTreeMap<String, Value>) -> f64 {
    let arguments = values.iter().filter(|(path, _)| path.starts_with("call.arguments."));
    arguments.filter_map(|(_, value)| value.as_f64()).sum()
}

/// Sets a value at a path of fields, where objects stand or nothing does. Returns false if something else stands there.
fn set(data: &mut Value, path: &str, value: &Value) -> bool {
    let mut at = data;
    for segment in path.split('.') {
        let Value::Object(fields) = at else { return false };
        at = fields.entry(segment).or_insert_with(|| json!({}));
    }
    *at = value.clone();
    true
}
