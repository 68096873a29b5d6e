//! Validation gate 4, risk: modes, gates and idempotency match the possible harm.
//!
//! Enters: adapters, permissions, rules, decisions. Leaves: capabilities that could do more than declared. Must prove:
//! no capability above its adapter, no destructive one without a reachable gate, no write without an idempotency key,
//! no decision weaker than its effects.

mod ungated;

use super::GateInput;
use crate::pointer::pointer;
use crate::policies::Predicate;
use deed_detect::CustomPattern;
use deed_diag::{Diagnostic, Invariant as _, codes, did_you_mean, quote};
use deed_logic::{Mode, Program, Sat, check as check_types};
use deed_model::{Adapter, ApprovalMode, ArgConstraint, Capability, Classification, DecisionSpec, Permission, Rule};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn check(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let surface = Surface::of(input);
    let mut findings = adapters(input);
    findings.extend(clearances(input));
    for exposed in &surface.exposed {
        findings.extend(gated(input, &surface, exposed));
        findings.extend(idempotent(input, exposed));
    }
    findings.extend(ungated::check(input, &surface));
    findings.extend(clamped(input, &surface));
    findings.extend(unbound(input, &surface));
    findings.extend(words(input));
    findings.extend(bounds(input));
    findings.extend(decisions(input, &surface));
    findings
}

/// Adapters whose services may not receive what the pack handles.
fn clearances(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let level = input.pack.pack_meta.data_classification;
    let related = || input.bundle.document.place("/pack_meta/data_classification");
    let mut findings = Vec::new();
    for (a, adapter) in input.pack.tooling_layer.adapter_registry.iter().enumerate() {
        let base = pointer!("tooling_layer", "adapter_registry", a);
        match adapter.max_classification {
            None if level == Classification::Restricted => findings.push(
                Diagnostic::error(
                    codes::RESTRICTED_WITHOUT_CLEARANCE,
                    format!("`{}` states no clearance, and the pack is RESTRICTED", adapter.adapter_id),
                )
                .at(input.bundle.document.place(&base))
                .related(related(), "the classification of the pack")
                .help("state `max_classification: RESTRICTED` if its service may receive such data, or remove it"),
            ),
            Some(own) if own < level => findings.push(
                Diagnostic::warning(
                    codes::ADAPTER_BELOW_CLASSIFICATION,
                    format!("`{}` may receive {own} data, and the pack handles {level}", adapter.adapter_id),
                )
                .at(input.bundle.document.place(&format!("{base}/max_classification")))
                .related(related(), "the classification of the pack")
                .help("it is hidden, unless a run lowers the ceiling with `max_classification`"),
            ),
            Some(_) | None => {}
        }
    }
    findings
}

/// A capability that a permission exposes.
struct Exposed<'a> {
    index: usize,
    permission: &'a Permission,
    capability: &'a Capability,
    mode: ApprovalMode,
}

impl Exposed<'_> {
    fn name(&self) -> String {
        format!("{}.{}", self.permission.adapter_id, self.permission.capability)
    }

    /// A capability over the network that declares itself a query changes nothing that a retry could repeat.
    fn only_reads(&self) -> bool {
        match self.capability {
            Capability::Spec(spec) => {
                self.mode == ApprovalMode::Network && matches!(spec.kind.as_deref(), Some("query" | "read"))
            }
            Capability::Name(_) => false,
        }
    }
}

/// The exposed capabilities, and the gates that rules require for them.
struct Surface<'a> {
    exposed: Vec<Exposed<'a>>,
    modes: BTreeMap<String, ApprovalMode>,
    gated_by_rule: BTreeSet<&'a str>,
}

impl<'a> Surface<'a> {
    fn of(input: &GateInput<'a>) -> Self {
        let tooling = &input.pack.tooling_layer;
        let capabilities: BTreeMap<(&str, &str), (&Adapter, &Capability)> = tooling
            .adapter_registry
            .iter()
            .flat_map(|a| a.capabilities.iter().map(move |c| ((a.adapter_id.as_str(), c.id()), (a, c))))
            .collect();
        let denied: BTreeSet<(&str, &str)> = tooling
            .permissions
            .iter()
            .filter(|p| !p.allow)
            .map(|p| (p.adapter_id.as_str(), p.capability.as_str()))
            .collect();
        let exposed = tooling
            .permissions
            .iter()
            .enumerate()
            .filter(|(_, p)| p.allow && !denied.contains(&(p.adapter_id.as_str(), p.capability.as_str())))
            .filter_map(|(index, permission)| {
                let key = (permission.adapter_id.as_str(), permission.capability.as_str());
                let (adapter, capability) = capabilities.get(&key)?;
                Some(Exposed { index, permission, capability, mode: capability.declared_mode(adapter) })
            })
            .collect();
        let modes =
            capabilities.values().map(|(a, c)| (format!("{}.{}", a.adapter_id, c.id()), c.declared_mode(a))).collect();
        let gated_by_rule = input
            .policies
            .rules(input.pack)
            .flat_map(|view| {
                let then = Some(&view.rule.then).filter(|_| can_hold(input, view.predicate));
                then.into_iter().chain(&view.rule.otherwise)
            })
            .filter(|outcome| outcome.requires_approval_gate.as_deref().is_some_and(|g| gate_reachable(input, g)))
            .flat_map(|outcome| outcome.capabilities.iter().map(String::as_str))
            .collect();
        Self { exposed, modes, gated_by_rule }
    }
}

impl Surface<'_> {
    /// Returns true if the permission of a capability, or a rule that names it, requires a gate.
    fn names_gate(&self, exposed: &Exposed<'_>) -> bool {
        exposed.permission.requires_approval_gate.is_some() || self.gated_by_rule.contains(exposed.name().as_str())
    }
}

fn gate_reachable(input: &GateInput<'_>, gate_id: &str) -> bool {
    input.policies.gate(gate_id).is_some_and(|predicate| can_hold(input, predicate))
}

fn can_hold(input: &GateInput<'_>, predicate: &Predicate) -> bool {
    let context = &input.policies.context;
    predicate.program().is_some_and(|program| {
        // A control whose predicate fails counts as active; the policy gate reports the error.
        check_types(program, context).iter().any(|f| f.severity == deed_logic::Severity::Error)
            || !matches!(predicate.holds(context), Some(Sat::Never { .. }))
    })
}

fn adapters(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (a, adapter) in input.pack.tooling_layer.adapter_registry.iter().enumerate() {
        for (c, capability) in adapter.capabilities.iter().enumerate() {
            let mode = capability.declared_mode(adapter);
            if mode > adapter.approval_mode {
                let base = pointer!("tooling_layer", "adapter_registry", a);
                findings.push(
                    Diagnostic::error(
                        codes::CAPABILITY_ABOVE_ADAPTER,
                        format!(
                            "`{}.{}` is {mode}, above its adapter's {}",
                            adapter.adapter_id,
                            capability.id(),
                            adapter.approval_mode
                        ),
                    )
                    .at(input.bundle.document.place(&format!("{base}/capabilities/{c}/approval_mode")))
                    .related(input.bundle.document.place(&format!("{base}/approval_mode")), "the adapter's ceiling")
                    .help("lower the capability's mode, or raise the adapter's under review"),
                );
            }
        }
    }
    findings
}

fn gated(input: &GateInput<'_>, surface: &Surface<'_>, exposed: &Exposed<'_>) -> Option<Diagnostic> {
    if exposed.mode < ApprovalMode::Destructive {
        return None;
    }
    let document = &input.bundle.document;
    let part = |name: &str| document.place(&pointer!("tooling_layer", "permissions", exposed.index, name));
    let name = exposed.name();
    if surface.gated_by_rule.contains(name.as_str()) {
        return None;
    }
    match exposed.permission.requires_approval_gate.as_deref() {
        None => Some(
            Diagnostic::error(
                codes::DESTRUCTIVE_WITHOUT_GATE,
                format!("{} is destructive and requires no approval gate", quote(&name)),
            )
            .at(part("permission_id"))
            .help("add `requires_approval_gate` to the permission"),
        ),
        // The reference gate reports a gate that does not exist.
        Some(gate) if input.policies.gate(gate).is_some() && !gate_reachable(input, gate) => Some(
            Diagnostic::error(
                codes::GATE_UNREACHABLE,
                format!("{} is destructive and its gate {} can never be active", quote(&name), quote(gate)),
            )
            .at(part("requires_approval_gate"))
            .help("name a gate that exists and whose `when` can hold"),
        ),
        Some(_) => None,
    }
}

fn idempotent(input: &GateInput<'_>, exposed: &Exposed<'_>) -> Option<Diagnostic> {
    // A key that may only have listed values, or one, does not distinguish calls.
    let required = |(name, c): (&String, &ArgConstraint)| {
        name.to_ascii_lowercase().contains("idempotency")
            && c.required == Some(true)
            && c.allowed.is_empty()
            && !c.pattern.as_deref().is_some_and(matches_one_text)
    };
    if !exposed.mode.writes() || exposed.only_reads() || exposed.permission.arg_constraints.iter().any(required) {
        return None;
    }
    let at = pointer!("tooling_layer", "permissions", exposed.index);
    let has_constraints = !exposed.permission.arg_constraints.is_empty();
    let part = if has_constraints { "arg_constraints" } else { "permission_id" };
    Some(
        Diagnostic::error(
            codes::IDEMPOTENCY_KEY_MISSING,
            format!("{} is {} and its permission requires no idempotency key", quote(&exposed.name()), exposed.mode),
        )
        .at(input.bundle.document.place(&deed_canon::Pointer::push(&at, part)))
        .help("add `arg_constraints: { idempotency_key: { required: true } }`: a retry must not act twice"),
    )
}

/// Returns true for an expression that only one text can match.
fn matches_one_text(pattern: &str) -> bool {
    let inner = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
    inner.is_some_and(|inner| !inner.contains(['.', '[', '(', '|', '*', '+', '?', '{', '\\']))
}

/// The kinds of a capability.
const KINDS: [&str; 6] = ["query", "read", "command", "write", "event", "notification"];
/// The levels of risk of a capability.
const RISKS: [&str; 5] = ["low", "medium", "high", "severe", "critical"];

/// Words about a capability that nobody knows.
fn words(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (a, adapter) in input.pack.tooling_layer.adapter_registry.iter().enumerate() {
        for (c, capability) in adapter.capabilities.iter().enumerate() {
            let Capability::Spec(spec) = capability else { continue };
            let parts = [("kind", &spec.kind, KINDS.as_slice()), ("risk_level", &spec.risk_level, RISKS.as_slice())];
            for (part, value, known) in parts {
                let Some(word) = value.as_deref().filter(|word| !known.contains(word)) else { continue };
                let near = did_you_mean(word, known.iter().copied());
                let at = pointer!("tooling_layer", "adapter_registry", a, "capabilities", c, part);
                findings.push(
                    Diagnostic::warning(
                        codes::UNKNOWN_CAPABILITY_WORD,
                        format!("{} is no known `{part}`", quote(word)),
                    )
                    .at(input.bundle.document.place(&at))
                    .help(near.unwrap_or_else(|| format!("there are {}", known.join(", ")))),
                );
            }
        }
    }
    findings
}

/// Bounds and modes of rules that name no capability: no call is held to them.
fn unbound(input: &GateInput<'_>, surface: &Surface<'_>) -> Vec<Diagnostic> {
    let specs = &input.pack.decision_layer.decision_specs;
    let mut findings = Vec::new();
    for view in input.policies.rules(input.pack) {
        let branches = [("then", Some(&view.rule.then)), ("else", view.rule.otherwise.as_ref())];
        for (branch, outcome) in branches.into_iter().filter_map(|(name, o)| o.map(|o| (name, o))) {
            if !outcome.capabilities.is_empty() {
                continue;
            }
            let place = |part: &str| input.bundle.document.place(&format!("{}/{branch}/{part}", view.pointer()));
            let rule_id = quote(&view.rule.rule_id);
            let named: Vec<String> = surface.exposed.iter().filter(|e| e.mode.writes()).map(Exposed::name).collect();
            let example = named.first().map_or("adapter.capability", String::as_str);
            let help = format!("name whose calls are meant: `capabilities: [{example}]`");
            if !outcome.arg_constraints.is_empty() {
                let message = format!("the bounds in `{branch}` of {rule_id} bind no capability");
                let finding = Diagnostic::error(codes::OUTCOME_BINDS_NOTHING, message);
                findings.push(finding.at(place("arg_constraints")).help(help.clone()));
            }
            let decided = specs.iter().find(|spec| Some(&spec.decision_key) == view.rule.decision_binding.as_ref());
            // The mode that its decision has anyhow is only repeated, and one above it is a finding of its own.
            let own = decided.map(|spec| spec.approval_mode);
            if outcome.approval_mode.is_some_and(|mode| own.is_none_or(|own| mode < own)) {
                let message = format!("the mode in `{branch}` of {rule_id} is the mode of no capability");
                let finding = Diagnostic::warning(codes::OUTCOME_BINDS_NOTHING, message);
                findings.push(finding.at(place("approval_mode")).help(help));
            }
        }
    }
    findings
}

/// A rule may lower a mode, never raise it.
fn clamped(input: &GateInput<'_>, surface: &Surface<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for view in input.policies.rules(input.pack) {
        let branches = [("then", Some(&view.rule.then)), ("else", view.rule.otherwise.as_ref())];
        for (branch, outcome) in branches.into_iter().filter_map(|(name, o)| o.map(|o| (name, o))) {
            let Some(mode) = outcome.approval_mode else { continue };
            for name in &outcome.capabilities {
                if let Some(declared) = surface.modes.get(name).filter(|declared| mode > **declared) {
                    findings.push(
                        Diagnostic::warning(
                            codes::MODE_CLAMPED,
                            format!(
                                "{} sets {} to {mode}; it stays {declared}",
                                quote(&view.rule.rule_id),
                                quote(name)
                            ),
                        )
                        .at(input.bundle.document.place(&format!("{}/{branch}/approval_mode", view.pointer())))
                        .help("policy may lower a mode, never raise it above the declared one"),
                    );
                }
            }
        }
    }
    findings
}

/// Reports bounds that no value can satisfy.
fn bounds(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let permissions = input.pack.tooling_layer.permissions.iter().enumerate();
    let by_permission = permissions.flat_map(|(i, p)| {
        p.arg_constraints.iter().map(move |(n, c)| (pointer!("tooling_layer", "permissions", i), n, c))
    });
    let by_rule = input.policies.rules(input.pack).flat_map(|view| {
        let branches = [("then", Some(&view.rule.then)), ("else", view.rule.otherwise.as_ref())];
        branches.into_iter().filter_map(|(b, o)| o.map(|o| (b, o))).flat_map(move |(branch, outcome)| {
            outcome.arg_constraints.iter().map(move |(n, c)| (view.part(branch), n, c))
        })
    });
    let mut findings = Vec::new();
    for (base, name, constraint) in by_permission.chain(by_rule) {
        let at = deed_canon::Pointer::push(&format!("{base}/arg_constraints"), name);
        if let Some(pattern) = constraint.pattern.as_deref().filter(|p| CustomPattern::new("argument", p).is_err()) {
            findings.push(
                Diagnostic::error(
                    codes::UNSATISFIABLE_BOUNDS,
                    format!("{} is not a supported regular expression", quote(pattern)),
                )
                .at(input.bundle.document.place(&format!("{at}/pattern")))
                .help("no call can satisfy it: fix the expression"),
            );
        }
        let listed = input.bundle.document.value().pointer(&format!("{at}/enum"));
        if listed.and_then(|l| l.as_array()).is_some_and(Vec::is_empty) {
            findings.push(
                Diagnostic::error(
                    codes::UNSATISFIABLE_BOUNDS,
                    format!("{} has an empty list of allowed values", quote(name)),
                )
                .at(input.bundle.document.place(&format!("{at}/enum")))
                .help("no call can satisfy it: list the values, or leave `enum` out"),
            );
        }
        findings.extend(constraint.equals.as_ref().and_then(|equals| tie(input, &format!("{at}/equals"), equals)));
        if let Some(why) = contradiction(constraint) {
            findings.push(
                Diagnostic::error(codes::UNSATISFIABLE_BOUNDS, format!("{} {why}", quote(name)))
                    .at(input.bundle.document.key_place(&at))
                    .help("no call can satisfy it: change one of the two"),
            );
        }
        let bound = |n: &Option<serde_json::Number>| n.as_ref().and_then(serde_json::Number::as_f64);
        if let Some((min, max)) = bound(&constraint.min).zip(bound(&constraint.max)).filter(|(min, max)| min > max) {
            findings.push(
                Diagnostic::error(
                    codes::UNSATISFIABLE_BOUNDS,
                    format!("{} must be at least {min} and at most {max}", quote(name)),
                )
                .at(input.bundle.document.key_place(&at))
                .help("no call can satisfy it: swap the two"),
            );
        }
    }
    findings
}

/// Returns the parts of a bound that exclude each other: a text that must be there and may have no character, values of
/// which every one is out of the other bounds, a number that must have the form of a text.
fn contradiction(bound: &ArgConstraint) -> Option<String> {
    let number = |n: &Option<serde_json::Number>| n.as_ref().and_then(serde_json::Number::as_f64);
    let (min, max) = (number(&bound.min), number(&bound.max));
    let numeric = min.is_some() || max.is_some();
    let formed = bound.max_length.is_some() || bound.pattern.is_some();
    if bound.max_length == Some(0) && bound.required == Some(true) {
        return Some("is required and may have no character".to_owned());
    }
    if numeric && formed {
        return Some("must be a number and have the form of a text".to_owned());
    }
    let fits = |value: &serde_json::Value| {
        let above = min.is_none_or(|min| value.as_f64().is_some_and(|own| own >= min));
        let below = max.is_none_or(|max| value.as_f64().is_some_and(|own| own <= max));
        let short = bound.max_length.is_none_or(|most| {
            let length = value.as_str().map(|text| text.chars().count() as u64);
            length.is_some_and(|length| length <= most)
        });
        above && below && short && (bound.pattern.is_none() || value.is_string())
    };
    if !bound.allowed.is_empty() && !bound.allowed.iter().any(fits) {
        return Some("has a list of values of which its other bounds admit none".to_owned());
    }
    let constant = bound.equals.as_ref().filter(|equals| !equals.is_object() && !equals.is_array());
    let listed = |value: &serde_json::Value| bound.allowed.is_empty() || bound.allowed.contains(value);
    let excluded = constant.is_some_and(|value| !fits(value) || !listed(value));
    excluded.then(|| "must be equal to a value that its other bounds do not admit".to_owned())
}

/// Reports an `equals` that cannot be computed, or that is a path written as a text.
fn tie(input: &GateInput<'_>, at: &str, equals: &serde_json::Value) -> Option<Diagnostic> {
    let document = &input.bundle.document;
    let path = |text: &str| {
        let root = text.split('.').next().unwrap_or_default();
        text.contains('.') && ["request", "user", "intent", "tenant", "env", "run"].contains(&root)
    };
    if let Some(text) = equals.as_str().filter(|text| path(text)) {
        let message = format!("{} is a constant text, and looks like a path", quote(text));
        let help = format!("write `equals: {{ var: {text} }}`");
        return Some(Diagnostic::warning(codes::ARGUMENT_TIE, message).at(document.place(at)).help(help));
    }
    let program = match Program::compile(equals, Mode::Strict) {
        Ok(program) => program,
        Err(errors) => {
            let first = errors.first().invariant("an expression that does not compile has an error").to_string();
            let help = "write a constant, or strict JsonLogic over the request";
            return Some(Diagnostic::error(codes::ARGUMENT_TIE, first).at(document.place(at)).help(help));
        }
    };
    let reads_call = |used: &deed_logic::VarUse| used.dynamic || used.path.first().is_none_or(|root| root == "call");
    program.variables().iter().any(reads_call).then(|| {
        Diagnostic::error(codes::ARGUMENT_TIE, "the value of an argument cannot depend on the call itself")
            .at(document.place(at))
            .help("read the request, the run context or the environment")
    })
}

fn decisions(input: &GateInput<'_>, surface: &Surface<'_>) -> Vec<Diagnostic> {
    let effects = Effects::of(input, surface);
    let specs = &input.pack.decision_layer.decision_specs;
    specs
        .iter()
        .enumerate()
        .filter_map(|(i, spec)| {
            let (effect, mode) = effects.strongest_of(surface, spec)?;
            (mode > spec.approval_mode).then(|| {
                Diagnostic::error(
                    codes::DECISION_TOO_WEAK,
                    format!(
                        "{} is {} and can lead to {effect}, which is {mode}",
                        quote(&spec.decision_key),
                        spec.approval_mode
                    ),
                )
                .at(input.bundle.document.place(&pointer!("decision_layer", "decision_specs", i, "approval_mode")))
                .help(format!("set its `approval_mode` to {mode}, or remove the effect"))
            })
        })
        .collect()
}

/// An effect and its mode.
type Effect = (String, ApprovalMode);

/// The effects that decisions can have.
///
/// A decision has the effects that the rules bound to it name: capabilities, an approval mode, or a gate that a
/// permission also requires. And some decision must be as strict as the strongest exposed capability: if no rule ties
/// an effect to a decision, the strictest decision must cover it.
struct Effects<'a> {
    rules: BTreeMap<&'a str, Vec<&'a Rule>>,
    by_gate: BTreeMap<&'a str, Effect>,
    strongest: Option<Effect>,
    strictest: Option<&'a str>,
}

impl<'a> Effects<'a> {
    fn of(input: &GateInput<'a>, surface: &Surface<'a>) -> Self {
        let mut rules: BTreeMap<&str, Vec<&Rule>> = BTreeMap::new();
        for (_, rule) in input.pack.rules() {
            if let Some(key) = rule.decision_binding.as_deref() {
                rules.entry(key).or_default().push(rule);
            }
        }
        let mut by_gate: BTreeMap<&str, Effect> = BTreeMap::new();
        let mut strongest: Option<Effect> = None;
        for exposed in surface.exposed.iter().filter(|e| !e.only_reads()) {
            let effect = (quote(&exposed.name()), exposed.mode);
            if let Some(gate) = exposed.permission.requires_approval_gate.as_deref() {
                let known = by_gate.entry(gate).or_insert_with(|| effect.clone());
                if effect.1 > known.1 {
                    *known = effect.clone();
                }
            }
            if strongest.as_ref().is_none_or(|known| effect.1 > known.1) {
                strongest = Some(effect);
            }
        }
        let specs = &input.pack.decision_layer.decision_specs;
        let strictest = specs.iter().max_by_key(|s| s.approval_mode).map(|s| s.decision_key.as_str());
        Self { rules, by_gate, strongest, strictest }
    }

    fn strongest_of(&self, surface: &Surface<'_>, spec: &DecisionSpec) -> Option<Effect> {
        let key = spec.decision_key.as_str();
        let mut effects: Vec<Effect> = Vec::new();
        for rule in self.rules.get(key).into_iter().flatten() {
            for outcome in std::iter::once(&rule.then).chain(&rule.otherwise) {
                effects.extend(outcome.approval_mode.map(|mode| (quote(&rule.rule_id), mode)));
                let named = outcome.capabilities.iter();
                effects.extend(named.filter_map(|name| surface.modes.get(name).map(|mode| (quote(name), *mode))));
                let gate = outcome.requires_approval_gate.as_deref().and_then(|g| self.by_gate.get(g));
                effects.extend(gate.cloned());
            }
        }
        if self.strictest == Some(key) {
            effects.extend(self.strongest.clone());
        }
        effects.into_iter().max_by_key(|(_, mode)| *mode)
    }
}
