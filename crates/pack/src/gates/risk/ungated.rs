//! Capabilities that some call can reach while no approval gate is active.
//!
//! A gate that reads only the request says nothing about the call: a model that was asked for a small amount may call
//! with a large one. Enters: the exposed capabilities of mode `delegated` or `destructive`, and everything that can stop
//! a call of them. Leaves: those with a call that nothing stops, with that call as an example. Such a call is accepted
//! only where the pack draws the line itself, which is the case if all of this holds for the intent:
//!
//! 1. a decision of at least the capability's mode belongs to the intent;
//! 2. the gate of the permission can become active for a call that the bounds admit;
//! 3. every argument with bounds that could do harm (a number, a choice, an identifier; not an idempotency key) is tied
//!    to a value by `equals`, or some guard stops one of its admitted values and lets another one pass;
//! 4. one argument at least has such a guard, and what the gate compares with a number is tied to the call.
//!
//! 3 and 4 hold for every kind of user that the pack distinguishes, and for one that it does not name: a line that is drawn
//! for one role is none for the others. Where they hold for users and not for every fact of the request (a word, a flag, a
//! score), or not for some user with some fact, that is a warning: an exemption that the author may mean. A text of the call
//! that nothing holds may not be such an exemption: whoever calls chooses it.

mod guards;
mod search;
mod values;

use super::{Exposed, Surface, gate_reachable};
use crate::gates::GateInput;
use crate::pointer::pointer;
use deed_diag::{Diagnostic, Invariant as _, Place, Severity, codes, quote};
use deed_logic::{Mode, Program, Sat, Term, satisfiable};
use deed_model::{ApprovalMode, ArgConstraint};
use guards::Guard;
use search::{Found, Kinds, Search, Searched};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The most guards of a capability in an intent with which texts and facts of the request are combined.
const MOST_GUARDS: usize = 64;

pub(super) fn check(input: &GateInput<'_>, surface: &Surface<'_>) -> Vec<Diagnostic> {
    let bound = surface.exposed.iter().filter(|exposed| exposed.mode >= ApprovalMode::Delegated);
    // A destructive capability without any gate is reported by name.
    let named = bound.filter(|exposed| exposed.mode < ApprovalMode::Destructive || surface.names_gate(exposed));
    // One that names a gate that does not exist is reported by the gate of references.
    let gates = &input.pack.policy_layer.approval_gates;
    let exists = |id: &String| gates.iter().any(|gate| gate.gate_id == *id);
    let linked = named.filter(|exposed| exposed.permission.requires_approval_gate.iter().all(exists));
    linked.flat_map(|exposed| findings(input, exposed)).collect()
}

fn findings(input: &GateInput<'_>, exposed: &Exposed<'_>) -> Vec<Diagnostic> {
    let intents = input.pack.intents();
    let openings = intents.iter().filter_map(|intent| Opening::of(input, exposed, intent));
    let openings: Vec<Opening> = openings.collect();
    let everywhere = openings.len() == intents.len();
    let unreachable = unreachable_gate(input, exposed, &openings).filter(|_| everywhere);
    let mut findings: Vec<Diagnostic> = unreachable.into_iter().collect();
    let order = |opening: &&Opening| (opening.by, !opening.is_shown());
    let shown = openings.iter().filter(|opening| opening.is_open()).min_by_key(order);
    match shown {
        Some(opening) => findings.push(finding(input, exposed, opening)),
        None => findings.extend(bounded(input, exposed, &openings)),
    }
    findings
}

/// Says that the search was not over all users and requests, where it found nothing.
fn bounded(input: &GateInput<'_>, exposed: &Exposed<'_>, openings: &[Opening]) -> Option<Diagnostic> {
    let help = "let a gate read the call alone, or let fewer fields decide";
    if let Some((intent, count)) = openings.iter().find_map(|opening| Some((&opening.intent, opening.guards?))) {
        let message = format!(
            "{} in {} has {count} guards: only users were told apart, and a call past them that a fact of the request or a text \
             lets through is not found",
            quote(&exposed.name()),
            quote(intent)
        );
        return Some(Diagnostic::info(codes::CALL_WITHOUT_GATE, message).at(place(input, exposed)).help(help));
    }
    let (intent, paths) = openings.iter().find_map(|opening| Some((&opening.intent, opening.in_pairs?)))?;
    let message = format!(
        "the guards of {} in {} tell users and requests apart by {paths} fields, of which only every two were combined: a \
         call past them that takes three is not found",
        quote(&exposed.name()),
        quote(intent)
    );
    Some(Diagnostic::info(codes::CALL_WITHOUT_GATE, message).at(place(input, exposed)).help(help))
}

/// Returns the part of a permission that says which gate it requires.
fn place(input: &GateInput<'_>, exposed: &Exposed<'_>) -> Place {
    let part = match exposed.permission.requires_approval_gate {
        Some(_) => "requires_approval_gate",
        None => "permission_id",
    };
    input.bundle.document.place(&pointer!("tooling_layer", "permissions", exposed.index, part))
}

fn finding(input: &GateInput<'_>, exposed: &Exposed<'_>, open: &Opening) -> Diagnostic {
    let at = place(input, exposed);
    let name = quote(&exposed.name());
    let gates = match (open.gates.as_slice(), &open.elsewhere) {
        ([], Some(elsewhere)) => return elsewhere.diagnostic(open, &name).at(at),
        ([], None) => "it requires no approval gate".to_owned(),
        ([one], _) => format!("{} is not active", quote(one)),
        (several, _) => {
            let several: Vec<String> = several.iter().map(|gate| quote(gate)).collect();
            format!("none of {} is active", several.join(", "))
        }
    };
    let intent = quote(&open.intent);
    let diagnostic = match &open.example {
        Some(example) => {
            let call = format!("{name} can be called with {} in {intent} while {gates}", example.arguments);
            let fault = open.faults.first().map(|fault| format!(": {}", fault.words())).unwrap_or_default();
            let severity = match open.by {
                Kinds::Users | Kinds::Texts => Severity::Error,
                Kinds::Facts | Kinds::Both => Severity::Warning,
            };
            Diagnostic::new(severity, codes::CALL_WITHOUT_GATE, format!("{call}{}{fault}", example.context()))
        }
        None => Diagnostic::warning(
            codes::CALL_WITHOUT_GATE,
            format!("it is not shown that every call of {name} in {intent} meets an active gate"),
        ),
    };
    diagnostic.at(at).help(open.help.clone())
}

/// Reports a gate that no call can activate that the bounds of its permission admit.
fn unreachable_gate(input: &GateInput<'_>, exposed: &Exposed<'_>, openings: &[Opening]) -> Option<Diagnostic> {
    let gate = exposed.permission.requires_approval_gate.as_deref()?;
    let missed = |opening: &Opening| opening.faults.contains(&Fault::Unreachable(gate.to_owned()));
    // It may be for other intents.
    let scoped: Vec<&Opening> = openings.iter().filter(|o| o.gates.iter().any(|own| own == gate)).collect();
    let silent = !scoped.is_empty() && scoped.len() == openings.len() && scoped.into_iter().all(missed);
    silent.then(|| {
        let message = format!(
            "no call of {} that its bounds admit can activate the gate {}",
            quote(&exposed.name()),
            quote(gate)
        );
        let at = pointer!("tooling_layer", "permissions", exposed.index, "requires_approval_gate");
        Diagnostic::error(codes::GATE_UNREACHABLE, message)
            .at(input.bundle.document.place(&at))
            .help("compare with a value within the bounds of the argument, or widen the bounds")
    })
}

/// The part of a line between calls with and without an approval that is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fault {
    /// No decision of the mode belongs to the intent.
    Undecided(ApprovalMode),
    /// No admitted call activates the gate.
    Unreachable(String),
    /// Arguments that nothing holds.
    Free(Vec<String>),
    /// A path that the gate compares with a number, and that no argument is tied to.
    Untied(String),
    /// The gate of the permission becomes active for other users, or for other requests, only.
    Elsewhere(String, Kinds),
    /// No argument decides whether a guard is active.
    Unread,
}

impl Fault {
    fn words(&self) -> String {
        match self {
            Self::Undecided(mode) => format!("no decision of mode `{mode}` belongs to the intent"),
            Self::Unreachable(gate) => format!("no admitted call can activate {}", quote(gate)),
            Self::Free(names) => {
                let names: Vec<String> = names.iter().map(|name| quote(name)).collect();
                let (verb, are) = if names.len() == 1 { ("is", "it is") } else { ("are", "they are") };
                format!(
                    "{} {verb} free: {are} neither tied to the request nor read by a gate or rule that can be reached",
                    names.join(", ")
                )
            }
            Self::Untied(path) => format!("no argument is tied to {}, which the gate compares", quote(path)),
            Self::Elsewhere(gate, by) => {
                let others = match by {
                    Kinds::Users => "users",
                    Kinds::Texts => "texts in the call",
                    Kinds::Facts => "requests",
                    Kinds::Both => "users with other requests",
                };
                format!("{} can become active for other {others} only", quote(gate))
            }
            Self::Unread => "its guards read no argument of the call".to_owned(),
        }
    }
}

/// A way to call a capability past its guards.
struct Opening {
    intent: String,
    gates: Vec<String>,
    /// The gate of the permission, where it applies to other intents only.
    elsewhere: Option<Elsewhere>,
    by: Kinds,
    /// The number of fields that tell requests apart, where only every two of them were combined.
    in_pairs: Option<usize>,
    /// True if not every combination was tried, and no gate was active in those that were.
    is_blind: bool,
    /// The number of guards, where they are too many to be tried with texts and facts.
    guards: Option<usize>,
    example: Option<Example>,
    faults: Vec<Fault>,
    help: String,
}

/// A gate that guards a capability in some intents, while the permission exposes it in all.
struct Elsewhere {
    gate: String,
    intents: Vec<String>,
    capability: String,
}

impl Elsewhere {
    /// Returns the gate of a permission if its scope leaves out the intent.
    fn of(input: &GateInput<'_>, exposed: &Exposed<'_>, intent: &str) -> Option<Self> {
        let gate = exposed.permission.requires_approval_gate.as_ref()?;
        let declared = input.pack.policy_layer.approval_gates.iter().find(|known| known.gate_id == *gate)?;
        let scope = declared.applies_to.as_ref().filter(|scope| !scope.covers(intent))?;
        let intents = scope.named().map(str::to_owned).collect();
        Some(Self { gate: gate.clone(), intents, capability: exposed.name() })
    }

    fn diagnostic(&self, open: &Opening, name: &str) -> Diagnostic {
        let (gate, intent) = (quote(&self.gate), quote(&open.intent));
        let intents: Vec<String> = self.intents.iter().map(|intent| quote(intent)).collect();
        let (word, intents) = (if intents.len() == 1 { "intent" } else { "intents" }, intents.join(", "));
        let applies = format!("{gate} applies only to {word} {intents}, and {name} is exposed in {intent} too");
        let help = format!(
            "add {intent} to `applies_to` of {gate}, or forbid the tool there: a rule with `applies_to: {{ intent: {} }}`, \
             `if: true`, `then: {{ forbids: [{}] }}`",
            open.intent, self.capability
        );
        let diagnostic = match &open.example {
            Some(example) => Diagnostic::error(
                codes::CALL_WITHOUT_GATE,
                format!("{applies}: it can be called there with {}{}", example.arguments, example.context()),
            ),
            None => Diagnostic::warning(
                codes::CALL_WITHOUT_GATE,
                format!("{applies}: it is not shown that every call of it there meets an active gate"),
            ),
        };
        diagnostic.help(help)
    }
}

/// A context in which no guard is active, and arguments of a call in it.
struct Example {
    arguments: String,
    values: Vec<(String, Value)>,
}

impl Example {
    fn context(&self) -> String {
        if self.values.is_empty() {
            return String::new();
        }
        let each: Vec<String> = self.values.iter().map(|(path, value)| format!("`{path}` {value}")).collect();
        format!(" (for example with {})", each.join(" and "))
    }
}

impl Opening {
    fn is_open(&self) -> bool {
        !self.faults.is_empty()
    }

    fn is_shown(&self) -> bool {
        self.is_open() && self.example.is_some()
    }

    fn of(input: &GateInput<'_>, exposed: &Exposed<'_>, intent: &str) -> Option<Self> {
        let gates = guards::gates(input, exposed, intent);
        let guards = guards::of(input, exposed, intent, &gates)?;
        let context = input.policies.context_for(Some(intent));
        let own = Program::compile(&json!({ "==": [{ "var": "call.tool" }, exposed.name()] }), Mode::Strict);
        let own = own.ok().invariant("a comparison with the name of a tool compiles");
        let plain = guards.iter().filter(|guard| guard.bounds.is_none());
        let mut silent: Vec<Term<'_>> =
            plain.map(|guard| Term { program: guard.program, holds: !guard.stops }).collect();
        silent.push(Term { program: &own, holds: true });
        if matches!(satisfiable(&silent, context), Sat::Never { .. }) {
            return None;
        }
        let by = |kinds: Kinds| Self::by(input, exposed, intent, (&guards, &gates), kinds);
        let mut users = by(Kinds::Users)?;
        if users.is_open() {
            return Some(users);
        }
        if guards.len() > MOST_GUARDS {
            users.guards = Some(guards.len());
            return Some(users);
        }
        for kinds in [Kinds::Texts, Kinds::Facts, Kinds::Both] {
            let found = by(kinds);
            users.in_pairs = users.in_pairs.or(found.as_ref().and_then(|found| found.in_pairs));
            // A sample in which no gate was ever active says nothing about the line that the gate draws.
            let told = found.filter(|found| found.is_shown() && found.elsewhere.is_none() && !found.is_blind);
            if let Some(found) = told {
                return Some(found);
            }
        }
        Some(users)
    }

    /// Searches for one way to tell requests apart; none if every call is stopped.
    fn by(
        input: &GateInput<'_>,
        exposed: &Exposed<'_>,
        intent: &str,
        (guards, gates): (&[Guard<'_>], &[String]),
        by: Kinds,
    ) -> Option<Self> {
        let search = Search::of(input, exposed, intent, (guards, by));
        if by == Kinds::Both && !search.is_mixed() {
            return None;
        }
        let Searched { mut kinds, in_pairs } = search.run();
        // That no request activates the gate is a finding of its own, and says more.
        if exposed.mode >= ApprovalMode::Destructive && gates.iter().any(|gate| !gate_reachable(input, gate)) {
            kinds = Found::merged(kinds).into_iter().collect();
        }
        // Every combination was tried, and one guard stops each. Predicates that compute could change anywhere.
        let complete = kinds.iter().all(|found| found.complete);
        let exact = complete && guards.iter().all(|guard| values::only_compares(guard.program.root()));
        let line = Line::of(&kinds, by);
        // The text alone is the line: nothing else could be held to it.
        if by == Kinds::Texts && line.deciding.is_empty() {
            return None;
        }
        let open = kinds.into_iter().filter(|found| found.silent.is_some() || !exact);
        let judged: Vec<(Found, Vec<Fault>)> = open
            .map(|found| {
                let faults = faults(input, exposed, intent, guards, gates, (&found, &line));
                (found, faults)
            })
            .collect();
        let order = |(found, faults): &(Found, Vec<Fault>)| (faults.is_empty(), found.silent.is_none());
        let (found, faults) = judged.into_iter().min_by_key(order)?;
        let example = found.silent.map(|values| example(exposed, values));
        let elsewhere = Elsewhere::of(input, exposed, intent);
        Some(Self {
            intent: intent.to_owned(),
            elsewhere,
            help: help(gates, &exposed.permission.arg_constraints, guards, &faults),
            gates: gates.to_vec(),
            by,
            in_pairs,
            is_blind: !complete && !line.gate_reached && !gates.is_empty(),
            guards: None,
            example,
            faults,
        })
    }
}

/// What holds for some kind of request at least.
struct Line {
    by: Kinds,
    complete: bool,
    gate_reached: bool,
    deciding: BTreeSet<String>,
}

impl Line {
    fn of(kinds: &[Found], by: Kinds) -> Self {
        let deciding = kinds.iter().flat_map(|found| &found.deciding).filter(|name| !is_key(name));
        Self {
            by,
            complete: kinds.iter().all(|found| found.complete),
            gate_reached: kinds.iter().any(|found| found.gate_reached),
            deciding: deciding.cloned().collect(),
        }
    }
}

/// Returns everything that is missing for a line that the pack draws itself, for one kind of request.
fn faults(
    input: &GateInput<'_>,
    exposed: &Exposed<'_>,
    intent: &str,
    guards: &[Guard<'_>],
    gates: &[String],
    (found, line): (&Found, &Line),
) -> Vec<Fault> {
    let arguments = &exposed.permission.arg_constraints;
    let held = |name: &String, bound: &ArgConstraint| bound.equals.is_some() || found.decides(name);
    let free = arguments.iter().filter(|(name, bound)| is_harmful(name, bound) && !held(name, bound));
    let free: Vec<String> = free.map(|(name, _)| name.clone()).collect();
    let mut faults = Vec::new();
    if !free.is_empty() {
        faults.push(Fault::Free(free));
    }
    // That no call activates a gate is shown by trying all of them.
    if !gates.is_empty() && !line.gate_reached && line.complete {
        faults.extend(gates.iter().map(|gate| Fault::Unreachable(gate.clone())));
    } else if !found.gate_reached && line.deciding.iter().any(|name| !found.decides(name)) {
        faults.extend(gates.iter().map(|gate| Fault::Elsewhere(gate.clone(), line.by)));
    }
    let own = found.deciding.iter().filter(|name| !is_key(name));
    let own: Vec<&String> = own.collect();
    if own.is_empty() {
        faults.push(Fault::Unread);
    }
    let by_itself = own.iter().any(|name| arguments.get(*name).is_none_or(|bound| bound.equals.is_none()));
    let tied: BTreeSet<String> = arguments.values().flat_map(values::tied_paths).collect();
    let compared = guards.iter().filter(|guard| guard.is_gate).flat_map(|guard| values::compared(guard.program));
    let untied = compared.filter(|path| !tied.contains(path)).min();
    faults.extend(untied.filter(|_| !by_itself).map(Fault::Untied));
    if !decides(input, intent, exposed.mode) {
        faults.push(Fault::Undecided(exposed.mode));
    }
    faults
}

/// Returns true if a decision of at least this mode belongs to an intent: one that a rule for the intent is bound to, or
/// one that no rule is bound to.
fn decides(input: &GateInput<'_>, intent: &str, mode: ApprovalMode) -> bool {
    let bound = |covers: bool| -> BTreeSet<&str> {
        let views = input.policies.rules(input.pack).filter(|view| !covers || view.covers(intent));
        views.filter_map(|view| view.rule.decision_binding.as_deref()).collect()
    };
    let (own, all) = (bound(true), bound(false));
    let specs = &input.pack.decision_layer.decision_specs;
    // That no decision of the pack is strict enough is a finding of its own.
    let needed = specs.iter().map(|spec| spec.approval_mode).max().map_or(mode, |strictest| strictest.min(mode));
    let specs = specs.iter().filter(|spec| spec.approval_mode >= needed);
    let mut keys = specs.map(|spec| spec.decision_key.as_str());
    keys.any(|key| own.contains(key) || !all.contains(key))
}

/// Returns true for an argument that distinguishes retries, and does no harm by its value.
fn is_key(name: &str) -> bool {
    name.to_ascii_lowercase().contains("idempotency")
}

/// Returns true for an argument whose value can make a call more harmful: a number, a choice or an identifier, unless
/// it has only one value. A text without a form is for people.
fn is_harmful(name: &str, bound: &ArgConstraint) -> bool {
    let numeric = bound.min.is_some() || bound.max.is_some();
    let fixed = (bound.min.is_some() && bound.min == bound.max) || bound.allowed.len() == 1;
    !is_key(name) && !fixed && (numeric || !bound.allowed.is_empty() || bound.pattern.is_some())
}

/// Returns an example: the values of the request, and arguments that the permission admits beside those that were found.
fn example(exposed: &Exposed<'_>, values: BTreeMap<String, Value>) -> Example {
    let mut shown = Map::new();
    for (name, bound) in &exposed.permission.arg_constraints {
        let number = bound.max.as_ref().or(bound.min.as_ref()).map(|number| Value::Number(number.clone()));
        let found = values.get(&format!("call.arguments.{name}")).cloned();
        if let Some(value) = found.or(number).or_else(|| bound.allowed.last().cloned()) {
            shown.insert(name.clone(), value);
        }
    }
    for (path, value) in &values {
        if let Some(name) = path.strip_prefix("call.arguments.") {
            shown.entry(name).or_insert_with(|| value.clone());
        }
    }
    let each: Vec<String> = shown.iter().map(|(name, value)| format!("`{name}` {value}")).collect();
    let arguments = if each.is_empty() { "any arguments".to_owned() } else { each.join(" and ") };
    let values = values.into_iter().filter(|(path, _)| !path.starts_with("call.")).collect();
    Example { arguments, values }
}

fn help(
    gates: &[String],
    arguments: &BTreeMap<String, ArgConstraint>,
    guards: &[Guard<'_>],
    faults: &[Fault],
) -> String {
    let free = faults.iter().find_map(|fault| if let Fault::Free(names) = fault { names.first() } else { None });
    let only = matches!(faults, [Fault::Undecided(_)]);
    if only {
        return "withhold it there (`forbids` in a rule for the intent), bind a rule for the intent to a decision, or \
                require a gate that is active for every call"
            .to_owned();
    }
    if let Some((gate, by)) = faults.iter().find_map(|fault| match fault {
        Fault::Elsewhere(gate, by) => Some((gate, by)),
        Fault::Undecided(_) | Fault::Unreachable(_) | Fault::Free(_) | Fault::Untied(_) | Fault::Unread => None,
    }) {
        let others = match by {
            Kinds::Users => "every user",
            Kinds::Texts => "every text that a call may have",
            Kinds::Facts => "every request",
            Kinds::Both => "every request of every user",
        };
        return format!(
            "let the `when` of `{gate}` hold for {others}, or add a rule that denies the call to the others"
        );
    }
    let bounded = arguments.iter().find(|(name, bound)| !is_key(name) && (bound.max.is_some() || bound.min.is_some()));
    let argument = free.or(bounded.map(|(name, _)| name)).map_or("ARGUMENT", String::as_str);
    let tied: BTreeSet<String> = arguments.values().flat_map(values::tied_paths).collect();
    let numbers: BTreeSet<String> =
        guards.iter().filter(|guard| guard.is_gate).flat_map(|guard| values::compared(guard.program)).collect();
    let numeric = arguments.get(argument).is_none_or(|bound| bound.min.is_some() || bound.max.is_some());
    let compared = numbers.into_iter().find(|path| numeric && !tied.contains(path));
    let read = compared.unwrap_or_else(|| format!("request.context.{argument}"));
    let tie = format!("tie the argument: `arg_constraints: {{ {argument}: {{ equals: {{ var: {read} }} }} }}`");
    match gates.first() {
        None => format!("add `requires_approval_gate` with a gate that reads `call.arguments.{argument}`"),
        Some(gate) => format!("let `{gate}` read `call.arguments.{argument}` in place of the request, or {tie}"),
    }
}
