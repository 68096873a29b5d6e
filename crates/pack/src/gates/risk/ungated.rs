//! Capabilities that some call can reach while no approval gate is active.
//!
//! A gate that reads only the request says nothing about the call: a model that was asked for a small amount may call
//! with a large one. Enters: the exposed capabilities of mode `delegated` or `destructive`, and everything that can stop
//! a call of them. Leaves: those that nothing stops for some call, with an example. A capability passes if, for each
//! intent, its guards cannot all be silent, or one of them reads the arguments, or an argument is tied to what one of
//! them reads.

use super::{Exposed, Surface};
use crate::gates::GateInput;
use crate::pointer::pointer;
use deed_diag::{Diagnostic, Invariant as _, codes, quote};
use deed_logic::{Expr, ExprKind, Mode, Program, Sat, Term, satisfiable};
use deed_model::{ApprovalMode, ArgConstraint, Rule, RuleOutcome};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The number of contexts that are tried for an example.
const MOST_TRIED: usize = 4096;

pub(super) fn check(input: &GateInput<'_>, surface: &Surface<'_>) -> Vec<Diagnostic> {
    let bound = surface.exposed.iter().filter(|exposed| exposed.mode >= ApprovalMode::Delegated);
    // A destructive capability without any gate is reported by name.
    let named = bound.filter(|exposed| exposed.mode < ApprovalMode::Destructive || surface.names_gate(exposed));
    // One that names a gate that does not exist is reported by the gate of references.
    let gates = &input.pack.policy_layer.approval_gates;
    let exists = |id: &String| gates.iter().any(|gate| gate.gate_id == *id);
    let linked = named.filter(|exposed| exposed.permission.requires_approval_gate.iter().all(exists));
    linked.filter_map(|exposed| finding(input, exposed)).collect()
}

fn finding(input: &GateInput<'_>, exposed: &Exposed<'_>) -> Option<Diagnostic> {
    let open = input.pack.intents().into_iter().find_map(|intent| Opening::of(input, exposed, intent))?;
    let document = &input.bundle.document;
    let part = match exposed.permission.requires_approval_gate {
        Some(_) => "requires_approval_gate",
        None => "permission_id",
    };
    let at = document.place(&pointer!("tooling_layer", "permissions", exposed.index, part));
    let name = quote(&exposed.name());
    let gates = match (open.gates.as_slice(), &open.elsewhere) {
        ([], Some(elsewhere)) => return Some(elsewhere.diagnostic(&open, &name).at(at)),
        ([], None) => "it requires no approval gate".to_owned(),
        ([one], _) => format!("{} is not active", quote(one)),
        (several, _) => {
            let several: Vec<String> = several.iter().map(|gate| quote(gate)).collect();
            format!("none of {} is active", several.join(", "))
        }
    };
    let intent = quote(&open.intent);
    let diagnostic = match &open.example {
        Some(example) => Diagnostic::error(
            codes::CALL_WITHOUT_GATE,
            format!("{name} can be called with {} in {intent} while {gates}{}", example.arguments, example.context()),
        ),
        None => Diagnostic::warning(
            codes::CALL_WITHOUT_GATE,
            format!("it is not shown that every call of {name} in {intent} meets an active gate"),
        ),
    };
    Some(diagnostic.at(at).help(open.help))
}

/// A way to call a capability past its guards.
struct Opening {
    intent: String,
    gates: Vec<String>,
    /// The gate of the permission, where it applies to other intents only.
    elsewhere: Option<Elsewhere>,
    example: Option<Example>,
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

/// A predicate that stops a call, or leaves it to a person, where it has this truth.
struct Guard<'a> {
    program: &'a Program,
    stops: bool,
}

impl Opening {
    fn of(input: &GateInput<'_>, exposed: &Exposed<'_>, intent: &str) -> Option<Self> {
        let gates = gates(input, exposed, intent);
        let mut guards = Vec::new();
        for predicate in gates.iter().filter_map(|gate| input.policies.gate(gate)) {
            // A gate whose predicate does not compile is always active.
            guards.push(Guard { program: predicate.program()?, stops: true });
        }
        guards.extend(rules(input, exposed, intent, &gates)?);
        for (_, predicate) in input.policies.guardrails() {
            guards.push(Guard { program: predicate.program()?, stops: true });
        }
        let context = input.policies.context_for(Some(intent));
        let own = Program::compile(&json!({ "==": [{ "var": "call.tool" }, exposed.name()] }), Mode::Strict);
        let own = own.ok().invariant("a comparison with the name of a tool compiles");
        let mut silent: Vec<Term<'_>> =
            guards.iter().map(|guard| Term { program: guard.program, holds: !guard.stops }).collect();
        silent.push(Term { program: &own, holds: true });
        if guards.iter().any(|guard| is_constant(guard)) || is_refuted(&silent, context) {
            return None;
        }
        let reads: BTreeSet<String> = guards.iter().flat_map(Guard::reads).collect();
        let arguments = &exposed.permission.arg_constraints;
        let by_call = reads.iter().any(|path| path.starts_with("call.arguments"));
        let tied = arguments.values().filter_map(tie).any(|path| reads.contains(&path));
        if by_call || tied {
            return None;
        }
        let example = Search { input, exposed, intent, guards: &guards }.run();
        let elsewhere = Elsewhere::of(input, exposed, intent);
        Some(Self { intent: intent.to_owned(), help: help(&gates, arguments, &reads), gates, elsewhere, example })
    }
}

/// Returns the gates of a capability's permission that apply to an intent.
fn gates(input: &GateInput<'_>, exposed: &Exposed<'_>, intent: &str) -> Vec<String> {
    let declared = &input.pack.policy_layer.approval_gates;
    let applies = |id: &&String| {
        let gate = declared.iter().find(|gate| gate.gate_id == **id);
        gate.is_some_and(|gate| gate.applies_to.as_ref().is_none_or(|scope| scope.covers(intent)))
    };
    exposed.permission.requires_approval_gate.iter().filter(applies).cloned().collect()
}

/// Returns the branches of rules that stop a call; `None` if a rule that always denies does.
fn rules<'a>(
    input: &'a GateInput<'_>,
    exposed: &Exposed<'_>,
    intent: &str,
    gates: &[String],
) -> Option<Vec<Guard<'a>>> {
    let name = exposed.name();
    let mut guards = Vec::new();
    for view in input.policies.rules(input.pack).filter(|view| view.covers(intent)) {
        let branches = [(true, Some(&view.rule.then)), (false, view.rule.otherwise.as_ref())];
        let stopping =
            branches.into_iter().filter(|(_, outcome)| outcome.is_some_and(|outcome| stops(outcome, &name, gates)));
        for (branch, _) in stopping {
            match view.predicate.program() {
                Some(program) => guards.push(Guard { program, stops: branch }),
                // It denies at every evaluation.
                None if is_enforcing(view.rule) => return None,
                None => {}
            }
        }
    }
    Some(guards)
}

fn is_enforcing(rule: &Rule) -> bool {
    rule.non_enforcing != Some(true)
}

/// Returns true if an outcome denies, forbids the capability, or demands a person for it.
fn stops(outcome: &RuleOutcome, name: &str, gates: &[String]) -> bool {
    let demanded = outcome.requires_approval_gate.as_ref();
    outcome.allow == Some(false)
        || outcome.forbidden().any(|forbidden| forbidden == name)
        || outcome.requires.iter().any(|required| required == "approval")
        || demanded.is_some_and(|gate| gates.contains(gate) || outcome.capabilities.iter().any(|own| own == name))
}

impl Guard<'_> {
    fn reads(&self) -> Vec<String> {
        let used = self.program.variables().into_iter().filter(|used| !used.scoped);
        used.map(|used| used.path.join(".")).collect()
    }
}

/// Returns true if a guard that reads nothing always stops.
fn is_constant(guard: &Guard<'_>) -> bool {
    guard.program.variables().is_empty() && guard.program.test(&Value::Null) == Ok(guard.stops)
}

fn is_refuted(silent: &[Term<'_>], context: &deed_logic::Ty) -> bool {
    matches!(satisfiable(silent, context), Sat::Never { .. })
}

/// Returns the path that a constraint ties its argument to.
fn tie(constraint: &ArgConstraint) -> Option<String> {
    let path = constraint.equals.as_ref()?.as_object()?.get("var")?;
    let path = path.as_str().or_else(|| path.as_array()?.first()?.as_str())?;
    Some(path.to_owned())
}

fn help(gates: &[String], arguments: &BTreeMap<String, ArgConstraint>, reads: &BTreeSet<String>) -> String {
    let argument = arguments.iter().find(|(_, bound)| bound.max.is_some() || bound.min.is_some());
    let argument = argument.map_or("ARGUMENT", |(name, _)| name.as_str());
    let read = reads.iter().find(|path| path.starts_with("request.")).map_or("request.context.FIELD", String::as_str);
    let tie = format!("tie the argument: `arg_constraints: {{ {argument}: {{ equals: {{ var: {read} }} }} }}`");
    match gates.first() {
        None => format!("add `requires_approval_gate` with a gate that reads `call.arguments.{argument}`"),
        Some(gate) => format!("let `{gate}` read `call.arguments.{argument}` in place of the request, or {tie}"),
    }
}

/// A search for a context in which no guard is active.
struct Search<'s> {
    input: &'s GateInput<'s>,
    exposed: &'s Exposed<'s>,
    intent: &'s str,
    guards: &'s [Guard<'s>],
}

impl Search<'_> {
    fn run(&self) -> Option<Example> {
        let paths = self.paths();
        let combinations = paths.iter().map(|(_, values)| values.len()).try_fold(1_usize, usize::checked_mul)?;
        (0..combinations.min(MOST_TRIED)).find_map(|number| {
            let mut data = self.base();
            let mut values = chosen(&paths, number);
            // What is read beneath a value that is no object is not there, and not shown.
            values.retain(|(path, value)| set(&mut data, path, value));
            let silent = |guard: &Guard<'_>| guard.program.test(&data) == Ok(!guard.stops);
            self.guards.iter().all(silent).then(|| Example { arguments: self.arguments(), values })
        })
    }

    /// Returns the paths that guards read, each with values to try.
    fn paths(&self) -> Vec<(String, Vec<Value>)> {
        let mut constants = Vec::new();
        self.guards.iter().for_each(|guard| literals(guard.program.root(), &mut constants));
        let mut values: Vec<Value> = vec![json!(false), json!(true), json!(0), json!("other")];
        for constant in constants {
            match constant.as_f64() {
                Some(number) => values.extend([json!(number - 1.0), constant.clone(), json!(number + 1.0)]),
                None => values.push(constant),
            }
        }
        let mut tried: Vec<Value> = Vec::new();
        values.into_iter().for_each(|value| {
            if !tried.contains(&value) {
                tried.push(value)
            }
        });
        let paths: BTreeSet<String> = self.guards.iter().flat_map(Guard::reads).collect();
        let supplied = |path: &String| ["intent.", "tenant.", "call.tool"].iter().any(|own| path.starts_with(own));
        paths.into_iter().filter(|path| !path.is_empty() && !supplied(path)).map(|path| (path, tried.clone())).collect()
    }

    fn base(&self) -> Value {
        let meta = &self.input.pack.pack_meta;
        let entries = self.input.pack.intent_layer.as_ref().map(|layer| layer.catalog.as_slice()).unwrap_or_default();
        let entry = entries.iter().find(|entry| entry.id == self.intent);
        json!({
            "call": { "tool": self.exposed.name(), "arguments": {} },
            "intent": {
                "id": self.intent,
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

    /// Returns arguments that the permission admits, as text; the largest where there is a choice.
    fn arguments(&self) -> String {
        let mut shown = Map::new();
        for (name, bound) in &self.exposed.permission.arg_constraints {
            let number = bound.max.as_ref().or(bound.min.as_ref()).map(|number| Value::Number(number.clone()));
            if let Some(value) = number.or_else(|| bound.allowed.last().cloned()) {
                shown.insert(name.clone(), value);
            }
        }
        match shown.is_empty() {
            true => "any arguments".to_owned(),
            false => {
                let each: Vec<String> = shown.iter().map(|(name, value)| format!("`{name}` {value}")).collect();
                each.join(" and ")
            }
        }
    }
}

/// Returns one combination of values, by its number.
fn chosen(paths: &[(String, Vec<Value>)], mut number: usize) -> Vec<(String, Value)> {
    let mut values = Vec::with_capacity(paths.len());
    for (path, candidates) in paths {
        if let Some(value) = candidates.get(number % candidates.len().max(1)) {
            values.push((path.clone(), value.clone()));
        }
        number /= candidates.len().max(1);
    }
    values
}

fn literals(expr: &Expr, found: &mut Vec<Value>) {
    if let ExprKind::Literal(value) = &expr.kind {
        found.push(value.clone());
    }
    expr.children().into_iter().for_each(|child| literals(child, found));
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
