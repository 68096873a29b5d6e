//! The values that are tried for each path: those at which some predicate or bound changes its result.

use super::guards::Guard;
use deed_logic::{Expr, ExprKind, Mode, Op, Path, Program};
use deed_model::ArgConstraint;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of values for one path.
const MOST: usize = 24;

/// A value of a path; `None` if nothing is there.
pub(super) type Candidate = Option<Value>;

/// Returns the paths that guards and ties read, with the values to try.
pub(super) fn of(
    guards: &[Guard<'_>],
    arguments: &BTreeMap<String, ArgConstraint>,
) -> BTreeMap<String, Vec<Candidate>> {
    let mut constants: BTreeMap<String, Vec<Value>> = BTreeMap::new();
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
    paths.map(|(path, values)| (path.clone(), candidates(&path, &values))).collect()
}

/// Returns true for what the pack and the search state themselves.
fn is_supplied(path: &str) -> bool {
    let roots = ["intent.", "tenant.", "env.", "call.tool"];
    path.is_empty()
        || path == "call"
        || path == "call.arguments"
        || path == "safety_mode"
        || roots.iter().any(|own| path.starts_with(own))
}

/// Adds the values at which bounds change their result, for the arguments and for what they are tied to.
fn bounds<'b>(
    bounds: impl Iterator<Item = (&'b String, &'b ArgConstraint)>,
    constants: &mut BTreeMap<String, Vec<Value>>,
) {
    for (name, bound) in bounds {
        let numbers = bound.min.iter().chain(&bound.max).map(|number| Value::Number(number.clone()));
        let values: Vec<Value> = numbers.chain(bound.allowed.iter().cloned()).collect();
        let paths = tied_paths(bound).into_iter().chain([format!("call.arguments.{name}")]);
        paths.for_each(|path| constants.entry(path).or_default().extend(values.iter().cloned()));
    }
}

/// Adds the literals that stand in one comparison with a path.
fn collect(expr: &Expr, constants: &mut BTreeMap<String, Vec<Value>>) {
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
    for path in paths {
        constants.entry(path).or_default().extend(values.iter().cloned());
    }
}

fn parts(expr: &Expr, paths: &mut Vec<String>, values: &mut Vec<Value>) {
    match &expr.kind {
        ExprKind::Literal(Value::Array(items)) => values.extend(items.iter().cloned()),
        ExprKind::Literal(value) => values.push(value.clone()),
        ExprKind::Var(var) => {
            if let Path::Fields(fields) = &var.path {
                paths.push(fields.join("."));
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

/// Returns the values to try: each constant, and its neighbours on both sides.
fn candidates(path: &str, constants: &[Value]) -> Vec<Candidate> {
    let mut values: Vec<Candidate> = Vec::new();
    let mut add = |value: Candidate| {
        if !values.contains(&value) && values.len() < MOST {
            values.push(value);
        }
    };
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
