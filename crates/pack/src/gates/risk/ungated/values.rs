//! The values that are tried for each path: those at which some predicate or bound changes its result.

use super::guards::Guard;
use deed_logic::{Expr, ExprKind, Mode, Op, Path, Program};
use deed_model::{ApprovalMode, ArgConstraint};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of values for one path.
const MOST: usize = 24;

/// The maximum number of texts of which every combination is tried as a list.
const MOST_COMBINED: usize = 4;
/// The most powerful mode of a run.
const SAFETY_MODE: &str = "safety_mode";

/// A value of a path; `None` if nothing is there.
pub(super) type Candidate = Option<Value>;

/// The constants that a path is compared with.
#[derive(Default)]
struct Constants {
    values: Vec<Value>,
    /// True if some predicate reads it as a list.
    is_list: bool,
    /// True if some predicate compares it with what another path has.
    is_compared: bool,
}

/// The values that are tried for a path.
pub(super) struct Tried {
    pub(super) values: Vec<Candidate>,
    is_compared: bool,
}

/// Returns true for a path that says who asks, and in which mode. What is compared with an amount is a limit of the user.
pub(super) fn is_personal(path: &str, tried: &Tried) -> bool {
    path == SAFETY_MODE || (is_of_user(path) && !tried.is_compared && !path.starts_with("call."))
}

/// Returns true for a path that says who asks or in which mode, by its name.
pub(super) fn is_of_user(path: &str) -> bool {
    let is_role = path.split('.').any(|segment| ["role", "roles"].contains(&segment));
    path == SAFETY_MODE || path.starts_with("user.") || is_role
}

/// Returns true for a path of the request or the run whose values are compared with constants, whoever asks. What is
/// compared with an amount is a limit.
pub(super) fn is_fact(path: &str, tried: &Tried) -> bool {
    !tried.is_compared && !path.starts_with("call.") && !is_personal(path, tried)
}

/// Returns true for an argument that is compared with words and that the permission does not hold to any: a text without a
/// form, an idempotency key, or one that is not listed.
pub(super) fn is_free_text(path: &str, tried: &Tried, arguments: &BTreeMap<String, ArgConstraint>) -> bool {
    let Some(name) = path.strip_prefix("call.arguments.") else { return false };
    let is_held = |bound: &ArgConstraint| bound.equals.is_some() || super::is_harmful(name, bound);
    let is_held = arguments.get(name).is_some_and(is_held);
    let is_amount = tried.is_compared || tried.values.iter().flatten().any(Value::is_number);
    !is_held && !is_amount
}

/// Returns the paths that guards and ties read, with the values to try.
pub(super) fn of(
    guards: &[Guard<'_>],
    arguments: &BTreeMap<String, ArgConstraint>,
    mode: ApprovalMode,
) -> BTreeMap<String, Tried> {
    let mut constants: BTreeMap<String, Constants> = BTreeMap::new();
    for guard in guards {
        guard.reads().into_iter().for_each(|path| {
            constants.entry(path).or_default();
        });
        collect(guard.program.root(), &mut constants);
        bounds(guard.bounds.into_iter().flatten(), &mut constants);
    }
    let read: BTreeSet<String> = constants.keys().cloned().collect();
    // An argument that no guard reads makes no difference, unless it is tied to what they read.
    let tie_reads = |bound: &ArgConstraint| tied_paths(bound).iter().any(|path| read.contains(path));
    let relevant = |(name, bound): &(&String, &ArgConstraint)| {
        read.contains(&format!("call.arguments.{name}")) || tie_reads(bound)
    };
    bounds(arguments.iter().filter(relevant), &mut constants);
    let paths = constants.into_iter().filter(|(path, _)| !is_supplied(path));
    let modes = || ApprovalMode::ALL.into_iter().rev().filter(|own| *own >= mode).map(|own| Some(json!(own.as_str())));
    let tried = |path: &str, constants: &Constants| {
        let values = match path == SAFETY_MODE {
            // A run of a weaker mode hides the tool.
            true => modes().collect(),
            false => candidates(path, constants),
        };
        Tried { values, is_compared: constants.is_compared }
    };
    paths.map(|(path, values)| (path.clone(), tried(&path, &values))).collect()
}

/// Returns true for what the pack and the search state themselves.
fn is_supplied(path: &str) -> bool {
    let roots = ["intent.", "tenant.", "env.", "call.tool"];
    path.is_empty() || path == "call" || path == "call.arguments" || roots.iter().any(|own| path.starts_with(own))
}

/// Adds the values at which bounds change their result, for the arguments and for what they are tied to.
fn bounds<'b>(
    bounds: impl Iterator<Item = (&'b String, &'b ArgConstraint)>,
    constants: &mut BTreeMap<String, Constants>,
) {
    for (name, bound) in bounds {
        let numbers = bound.min.iter().chain(&bound.max).map(|number| Value::Number(number.clone()));
        let values: Vec<Value> = numbers.chain(bound.allowed.iter().cloned()).collect();
        let paths = tied_paths(bound).into_iter().chain([format!("call.arguments.{name}")]);
        paths.for_each(|path| constants.entry(path).or_default().values.extend(values.iter().cloned()));
    }
}

/// Adds the literals that stand in one comparison with a path.
fn collect(expr: &Expr, constants: &mut BTreeMap<String, Constants>) {
    let passes_on = match &expr.kind {
        ExprKind::Call { op, .. } => matches!(op, Op::And | Op::Or | Op::Not | Op::Truthy | Op::If),
        ExprKind::Literal(_) | ExprKind::List(_) | ExprKind::Var(_) => false,
    };
    if passes_on {
        expr.children().into_iter().for_each(|child| collect(child, constants));
        return;
    }
    let (mut paths, mut values) = (Vec::new(), Vec::new());
    parts(expr, &mut paths, &mut values);
    let several = paths.iter().collect::<BTreeSet<_>>().len() > 1;
    for path in paths {
        let own = constants.entry(path).or_default();
        own.values.extend(values.iter().cloned());
        own.is_compared |= several;
    }
    lists(expr, constants);
}

/// Notes the paths that are searched in, or gone through.
fn lists(expr: &Expr, constants: &mut BTreeMap<String, Constants>) {
    let children = expr.children();
    let list = match &expr.kind {
        ExprKind::Call { op: Op::In, .. } => children.get(1),
        ExprKind::Call { op, .. } if op.iterates() => children.first(),
        ExprKind::Call { .. } | ExprKind::Literal(_) | ExprKind::List(_) | ExprKind::Var(_) => None,
    };
    if let Some(ExprKind::Var(var)) = list.map(|list| &list.kind)
        && let Path::Fields(fields) = &var.path
    {
        constants.entry(fields.join(".")).or_default().is_list = true;
    }
    children.into_iter().for_each(|child| lists(child, constants));
}

/// Collects the paths and the literals of an expression. Names within a loop are those of its items.
fn parts(expr: &Expr, paths: &mut Vec<String>, values: &mut Vec<Value>) {
    if matches!(&expr.kind, ExprKind::Call { op, .. } if op.iterates()) {
        let children = expr.children();
        children.first().into_iter().for_each(|list| parts(list, paths, values));
        children.iter().skip(1).for_each(|child| parts(child, &mut Vec::new(), values));
        return;
    }
    match &expr.kind {
        ExprKind::Literal(Value::Array(items)) => values.extend(items.iter().cloned()),
        ExprKind::Literal(value) => values.push(value.clone()),
        ExprKind::Var(var) => {
            if let Path::Fields(fields) = &var.path {
                paths.push(fields.join("."));
                // A default stands for what is not there, which is tried as such; arguments are always there.
                if fields.first().is_none_or(|root| root != "call") {
                    expr.children().into_iter().for_each(|child| parts(child, paths, &mut Vec::new()));
                    return;
                }
            }
        }
        ExprKind::List(_) | ExprKind::Call { .. } => {}
    }
    expr.children().into_iter().for_each(|child| parts(child, paths, values));
}

/// Returns true if a predicate only compares what it reads with constants, so that its result changes at the values that
/// are tried and nowhere else.
pub(super) fn only_compares(expr: &Expr) -> bool {
    let own = match &expr.kind {
        ExprKind::Literal(_) | ExprKind::List(_) => true,
        ExprKind::Var(var) => matches!(var.path, Path::Fields(_)),
        ExprKind::Call { op, .. } => matches!(
            op,
            Op::And
                | Op::Or
                | Op::Not
                | Op::Truthy
                | Op::If
                | Op::Equal
                | Op::StrictEqual
                | Op::NotEqual
                | Op::StrictNotEqual
                | Op::Greater
                | Op::GreaterEqual
                | Op::Less
                | Op::LessEqual
                | Op::In
                | Op::Missing
        ),
    };
    own && expr.children().into_iter().all(only_compares)
}

/// Returns the values to try: each constant, and its neighbours on both sides; for a list its combinations.
fn candidates(path: &str, constants: &Constants) -> Vec<Candidate> {
    let mut values: Vec<Candidate> = Vec::new();
    let mut add = |value: Candidate| {
        if !values.contains(&value) && values.len() < MOST {
            values.push(value);
        }
    };
    if constants.is_list {
        combinations(&constants.values).into_iter().for_each(|list| add(Some(list)));
    }
    let constants = constants.values.as_slice();
    let is_text = constants.iter().any(Value::is_string);
    let is_number = constants.iter().any(Value::is_number);
    for constant in constants {
        match constant.as_f64() {
            Some(number) => {
                [number - 1.0, number, number + 1.0].into_iter().for_each(|near| add(Some(whole(near))));
            }
            None => add(Some(constant.clone())),
        }
    }
    if is_text {
        add(Some(json!("other")));
    }
    if !is_number && !is_text {
        [json!(true), json!(false)].into_iter().for_each(|value| add(Some(value)));
    }
    if constants.is_empty() {
        [json!(0), json!(1), json!(1000), json!("other")].into_iter().for_each(|value| add(Some(value)));
    }
    // An argument that is left out is refused or errs, and says nothing about its values.
    if !path.starts_with("call.") {
        values.push(None);
    }
    values
}

/// Returns lists of values: every combination of a few of them; of many, each one alone and all together. One list has none
/// of them.
fn combinations(constants: &[Value]) -> Vec<Value> {
    let mut own: Vec<&Value> = Vec::new();
    constants.iter().filter(|value| !value.is_array()).for_each(|value| {
        if !own.contains(&value) {
            own.push(value);
        }
    });
    let mut lists = vec![json!(["other"]), json!([])];
    if own.len() <= MOST_COMBINED {
        let chosen =
            |mask: u32| own.iter().enumerate().filter(move |(i, _)| mask >> i & 1 == 1).map(|(_, value)| *value);
        lists.extend((1..1_u32 << own.len()).map(|mask| json!(chosen(mask).collect::<Vec<_>>())));
    } else {
        lists.push(json!(own));
        lists.extend(own.iter().map(|value| json!([value])));
    }
    lists
}

/// Writes a whole number without a fraction.
fn whole(number: f64) -> Value {
    #[allow(clippy::cast_possible_truncation, reason = "compared with the number again")]
    let truncated = number as i64;
    #[allow(clippy::cast_precision_loss, reason = "a number that does not fit stays as it is")]
    let same = (truncated as f64).total_cmp(&number).is_eq();
    if same { json!(truncated) } else { json!(number) }
}

/// Returns the paths that a constraint ties its argument to.
pub(super) fn tied_paths(constraint: &ArgConstraint) -> Vec<String> {
    let program = constraint.equals.as_ref().and_then(|equals| Program::compile(equals, Mode::Strict).ok());
    let used = program.map(|program| program.variables()).unwrap_or_default();
    used.into_iter().filter(|used| !used.scoped).map(|used| used.path.join(".")).collect()
}

/// Returns the paths of the request that a predicate compares by order.
pub(super) fn compared(program: &Program) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    ordered(program.root(), &mut found);
    found.retain(|path| path.starts_with("request."));
    found
}

fn ordered(expr: &Expr, found: &mut BTreeSet<String>) {
    if let ExprKind::Call { op: Op::Greater | Op::GreaterEqual | Op::Less | Op::LessEqual, .. } = &expr.kind {
        let (mut paths, mut values) = (Vec::new(), Vec::new());
        parts(expr, &mut paths, &mut values);
        found.extend(paths);
        return;
    }
    expr.children().into_iter().for_each(|child| ordered(child, found));
}
