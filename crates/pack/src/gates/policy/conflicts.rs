//! Rules that contradict each other.
//!
//! The strictest verdict wins whatever its priority, so a denial always overrides a permission that implies it; and if
//! two bundles of equal priority contradict each other, only their names decide the order. Both are found by pairs of
//! arms, an arm being one branch of a rule with the required truth of its predicate.
//!
//! Most pairs need no proof. Two arms that require different constants of the same field never apply together, and a
//! permission cannot imply a denial that reads a field which the permission does not mention. The rest is proven, up to
//! [`PROOFS`] pairs; a warning states how many were not, so that nothing is skipped silently.

use super::super::GateInput;
use crate::policies::RuleView;
use deed_canon::canonical_string;
use deed_diag::{Diagnostic, Invariant as _, codes, quote};
use deed_logic::{Expr, ExprKind, Op, Path, Program, Sat, Term, satisfiable};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of pairs that are proven.
const PROOFS: usize = 40_000;

/// The intent and the decision of an arm; `None` means all of them.
type Scope<'a> = (Option<&'a str>, Option<&'a str>);

/// One branch of a rule.
struct Arm<'a> {
    view: RuleView<'a>,
    program: &'a Program,
    /// The required truth of the predicate.
    holds: bool,
    /// The fields that the predicate reads.
    reads: BTreeSet<Name>,
    /// The fields that must equal a constant for the arm to apply.
    pins: BTreeMap<Name, Name>,
}

/// A field or a constant by number, so that comparing arms compares numbers.
type Name = u32;

/// Numbers for texts, in order of first use.
#[derive(Default)]
struct Names(BTreeMap<String, Name>);

impl Names {
    fn of(&mut self, text: String) -> Name {
        let next = u32::try_from(self.0.len()).invariant("a document has less than 2^32 names");
        *self.0.entry(text).or_insert(next)
    }
}

impl<'a> Arm<'a> {
    fn new(view: RuleView<'a>, program: &'a Program, holds: bool, names: &mut Names) -> Self {
        let reads = program.variables().into_iter().map(|v| names.of(v.path.join("."))).collect();
        let mut pins = BTreeMap::new();
        if holds {
            gather_pins(program.root(), names, &mut pins);
        }
        Self { view, program, holds, reads, pins }
    }

    fn scope(&self) -> Scope<'a> {
        (self.view.intent(), self.view.rule.decision_binding.as_deref())
    }

    fn term(&self) -> Term<'a> {
        Term { program: self.program, holds: self.holds }
    }

    fn unless(&self) -> Term<'a> {
        Term { program: self.program, holds: !self.holds }
    }
}

/// Collects the fields that a conjunction compares with a constant.
fn gather_pins(expr: &Expr, names: &mut Names, pins: &mut BTreeMap<Name, Name>) {
    let ExprKind::Call { op, args } = &expr.kind else { return };
    match (op, args.as_slice()) {
        (Op::And, parts) => parts.iter().for_each(|part| gather_pins(part, names, pins)),
        (Op::Equal | Op::StrictEqual, [a, b]) => {
            for (field, constant) in [(a, b), (b, a)] {
                if let (Some(path), Some(value)) = (field_of(field), constant.constant()) {
                    let constant = names.of(canonical_string(&value).invariant("a constant has a canonical form"));
                    pins.insert(names.of(path), constant);
                }
            }
        }
        _ => {}
    }
}

fn field_of(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Var(variable) => match &variable.path {
            Path::Fields(fields) => Some(fields.join(".")),
            Path::Whole | Path::Computed(_) => None,
        },
        ExprKind::Literal(_) | ExprKind::List(_) | ExprKind::Call { .. } => None,
    }
}

/// Denials by the first field that they pin, so that those which cannot apply together with a permission are skipped.
#[derive(Default)]
struct Denials<'a> {
    pinned: BTreeMap<Name, BTreeMap<Name, Vec<Arm<'a>>>>,
    free: Vec<Arm<'a>>,
}

impl<'a> Denials<'a> {
    fn add(&mut self, arm: Arm<'a>) {
        match arm.pins.first_key_value().map(|(field, constant)| (*field, *constant)) {
            Some((field, constant)) => {
                self.pinned.entry(field).or_default().entry(constant).or_default().push(arm);
            }
            None => self.free.push(arm),
        }
    }

    /// Returns the denials that may apply together with a permission.
    fn meeting<'d>(&'d self, allow: &'d Arm<'a>) -> impl Iterator<Item = &'d Arm<'a>> {
        let pinned = self.pinned.iter().flat_map(move |(field, by_constant)| match allow.pins.get(field) {
            Some(constant) => by_constant.get(constant).into_iter().flatten().collect::<Vec<_>>(),
            None => by_constant.values().flatten().collect(),
        });
        pinned.chain(&self.free).filter(|deny| {
            deny.pins.iter().all(|(field, constant)| allow.pins.get(field).is_none_or(|own| own == constant))
        })
    }
}

/// Compares the rules whose predicates can be evaluated.
pub(super) fn check(input: &GateInput<'_>, rules: &[RuleView<'_>]) -> Vec<Diagnostic> {
    let mut names = Names::default();
    let mut allows: Vec<Arm<'_>> = Vec::new();
    let mut denies: BTreeMap<Scope<'_>, Denials<'_>> = BTreeMap::new();
    for view in rules.iter().copied() {
        let Some(program) = view.predicate.program() else { continue };
        let branches = [(Some(&view.rule.then), true), (view.rule.otherwise.as_ref(), false)];
        for (outcome, holds) in branches {
            match outcome.and_then(|o| o.allow) {
                Some(true) => allows.push(Arm::new(view, program, holds, &mut names)),
                Some(false) => {
                    let arm = Arm::new(view, program, holds, &mut names);
                    denies.entry(arm.scope()).or_default().add(arm);
                }
                None => {}
            }
        }
    }
    let mut findings = Vec::new();
    let mut proofs = 0usize;
    for allow in &allows {
        let rivals = denies.iter().filter(|(scope, _)| meet(allow.scope(), **scope));
        for deny in rivals.flat_map(|(_, denials)| denials.meeting(allow)) {
            let pair = Pair::of(allow, deny);
            if !pair.may_silence && !pair.may_conflict {
                continue;
            }
            proofs += 1;
            if proofs <= PROOFS {
                findings.extend(compare(input, allow, deny, &pair));
            }
        }
    }
    if proofs > PROOFS {
        let left_out = proofs - PROOFS;
        findings.push(
            Diagnostic::warning(
                codes::RULES_NOT_COMPARED,
                format!("{left_out} pairs of rules were not compared with each other"),
            )
            .at(input.bundle.document.place("/policy_layer/policy_bundles"))
            .help(format!("at most {PROOFS} pairs are proven; split the pack, or give bundles different priorities")),
        );
    }
    findings
}

/// The conflict that a pair may have, before anything is proven.
struct Pair {
    may_silence: bool,
    may_conflict: bool,
}

impl Pair {
    fn of(allow: &Arm<'_>, deny: &Arm<'_>) -> Self {
        let same_bundle = allow.view.bundle_index == deny.view.bundle_index;
        let same_rule = same_bundle && allow.view.rule_index == deny.view.rule_index;
        Self {
            may_silence: !same_rule && within(allow.scope(), deny.scope()) && deny.reads.is_subset(&allow.reads),
            may_conflict: !same_bundle && allow.view.bundle.priority == deny.view.bundle.priority,
        }
    }
}

/// Returns true if some request is in both scopes.
fn meet(a: Scope<'_>, b: Scope<'_>) -> bool {
    let same = |a: Option<&str>, b: Option<&str>| a.is_none() || b.is_none() || a == b;
    same(a.0, b.0) && same(a.1, b.1)
}

/// Returns true if the first scope lies within the second.
fn within(a: Scope<'_>, b: Scope<'_>) -> bool {
    (b.0.is_none() || a.0 == b.0) && (b.1.is_none() || a.1 == b.1)
}

fn compare(input: &GateInput<'_>, allow: &Arm<'_>, deny: &Arm<'_>, pair: &Pair) -> Option<Diagnostic> {
    let document = &input.bundle.document;
    let context = input.policies.context_for(allow.view.intent().or(deny.view.intent()));
    let never = |terms: &[Term<'_>]| matches!(satisfiable(terms, context), Sat::Never { .. });
    let (allow_id, deny_id) = (quote(&allow.view.rule.rule_id), quote(&deny.view.rule.rule_id));
    // Whenever the permission applies, so does the denial; and it does apply sometimes.
    if pair.may_silence && never(&[allow.term(), deny.unless()]) && !never(&[allow.term()]) {
        return Some(
            Diagnostic::warning(
                codes::PERMISSION_ALWAYS_DENIED,
                format!("{allow_id} never takes effect: whenever it allows, {deny_id} denies"),
            )
            .at(document.place(&allow.view.predicate.pointer))
            .related(document.place(&deny.view.predicate.pointer), "denies whenever the other allows"),
        );
    }
    (pair.may_conflict && !never(&[allow.term(), deny.term()])).then(|| {
        Diagnostic::error(
            codes::PRIORITY_CONFLICT,
            format!(
                "{allow_id} allows and {deny_id} denies, in bundles of the same priority {}",
                allow.view.bundle.priority
            ),
        )
        .at(document.place(&allow.view.part("rule_id")))
        .related(document.place(&deny.view.part("rule_id")), "the other rule")
        .help("give one of the bundles a higher priority, or keep the predicates apart")
    })
}
