//! Converts a predicate, asserted or denied, to a bounded disjunction of conjunctions.
//!
//! Every atom of a conjunction belongs to an expression that is evaluated, and evaluated without
//! error, on every context that conjunction speaks of. A denied `and` gives one conjunction per
//! operand, which is more than short-circuiting would allow and therefore safe.

use serde_json::Value;

use super::atom::{About, Atom, Claim, Fact, Source};
use super::domain::{Bound, Domain, Members};
use super::fit::{self, Want};
use crate::expr::{Expr, ExprKind};
use crate::mode::Mode;
use crate::op::Op;
use crate::ty::{Lookup, Ty};

/// The maximum number of conjunctions.
const MOST: usize = 64;

/// A disjunction of conjunctions of atoms, by their index.
pub(super) type Normal = Vec<Vec<usize>>;

/// The atoms of all terms and the mode of the one being read.
pub(super) struct Builder<'p> {
    pub(super) atoms: Vec<Atom<'p>>,
    context: &'p Ty,
    mode: Mode,
}

/// The order of two operands.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Order {
    fn mirrored(self) -> Order {
        match self {
            Order::Less => Order::Greater,
            Order::LessEqual => Order::GreaterEqual,
            Order::Greater => Order::Less,
            Order::GreaterEqual => Order::LessEqual,
        }
    }

    fn denied(self) -> Order {
        match self {
            Order::Less => Order::GreaterEqual,
            Order::LessEqual => Order::Greater,
            Order::Greater => Order::LessEqual,
            Order::GreaterEqual => Order::Less,
        }
    }
}

impl<'p> Builder<'p> {
    pub(super) fn new(context: &'p Ty) -> Builder<'p> {
        Builder { atoms: Vec::new(), context, mode: Mode::Strict }
    }

    /// Converts a whole term; `None` if it would grow too large.
    pub(super) fn term(&mut self, mode: Mode, root: &'p Expr, holds: bool) -> Option<Normal> {
        self.mode = mode;
        self.read(root, holds)
    }

    fn read(&mut self, expr: &'p Expr, holds: bool) -> Option<Normal> {
        match &expr.kind {
            ExprKind::Literal(value) => Some(self.literal(value, holds)),
            ExprKind::List(_) => Some(self.opaque(expr, holds)),
            ExprKind::Var(_) => Some(self.value(expr, expr, holds, Want::Bool, Domain::bool(holds))),
            ExprKind::Call { op, args } => self.call(expr, *op, args, holds),
        }
    }

    fn call(&mut self, expr: &'p Expr, op: Op, args: &'p [Expr], holds: bool) -> Option<Normal> {
        match (op, args) {
            // Without operands json-logic-js returns undefined, which is an error as a result.
            (Op::And | Op::Or, []) => Some(self.opaque(expr, holds)),
            (Op::And, args) => self.connective(args, holds, holds),
            (Op::Or, args) => self.connective(args, !holds, holds),
            (Op::Not, [arg]) => self.read(arg, !holds),
            (Op::Truthy, [arg]) => self.read(arg, holds),
            (Op::If, args) => self.choice(args, holds),
            (Op::Equal, [a, b]) => Some(self.equality(expr, (a, b), true, holds, holds)),
            (Op::NotEqual, [a, b]) => Some(self.equality(expr, (a, b), true, !holds, holds)),
            (Op::StrictEqual, [a, b]) => Some(self.equality(expr, (a, b), false, holds, holds)),
            (Op::StrictNotEqual, [a, b]) => Some(self.equality(expr, (a, b), false, !holds, holds)),
            (Op::Less, args) => self.ordering(expr, args, Order::Less, holds),
            (Op::LessEqual, args) => self.ordering(expr, args, Order::LessEqual, holds),
            (Op::Greater, [_, _]) => self.ordering(expr, args, Order::Greater, holds),
            (Op::GreaterEqual, [_, _]) => self.ordering(expr, args, Order::GreaterEqual, holds),
            (Op::In, [needle, haystack]) => Some(self.membership(expr, needle, haystack, holds)),
            (Op::Missing | Op::MissingSome, args) => Some(self.missing(expr, op, args, holds)),
            (
                Op::Not
                | Op::Truthy
                | Op::Equal
                | Op::NotEqual
                | Op::StrictEqual
                | Op::StrictNotEqual
                | Op::Greater
                | Op::GreaterEqual
                | Op::In
                | Op::Max
                | Op::Min
                | Op::Add
                | Op::Subtract
                | Op::Multiply
                | Op::Divide
                | Op::Remainder
                | Op::Map
                | Op::Reduce
                | Op::Filter
                | Op::All
                | Op::None
                | Op::Some
                | Op::Merge
                | Op::Cat
                | Op::Substr
                | Op::Log,
                _,
            ) => Some(self.opaque(expr, holds)),
        }
    }

    /// Combines all operands, or any one of them.
    fn connective(&mut self, args: &'p [Expr], together: bool, holds: bool) -> Option<Normal> {
        let mut out = if together { vec![Vec::new()] } else { Vec::new() };
        for arg in args {
            let next = self.read(arg, holds)?;
            out = if together { both(&out, &next)? } else { any(out, next)? };
        }
        Some(out)
    }

    fn choice(&mut self, args: &'p [Expr], holds: bool) -> Option<Normal> {
        match args {
            // Compat only: a missing else gives null, which is false.
            [] => Some(if holds { Vec::new() } else { vec![Vec::new()] }),
            [otherwise] => self.read(otherwise, holds),
            [condition, branch, rest @ ..] => {
                let (met, then) = (self.read(condition, true)?, self.read(branch, holds)?);
                let taken = both(&met, &then)?;
                let (unmet, other) = (self.read(condition, false)?, self.choice(rest, holds)?);
                any(taken, both(&unmet, &other)?)
            }
        }
    }

    fn literal(&mut self, value: &Value, holds: bool) -> Normal {
        let truth = match (self.mode, value) {
            (_, Value::Bool(b)) => Some(*b),
            // Not a boolean, so it never evaluates as a condition.
            (Mode::Strict, _) => None,
            (Mode::Compat, Value::Null) => Some(false),
            (Mode::Compat, Value::Number(n)) => Some(n.as_f64() != Some(0.0)),
            (Mode::Compat, Value::String(text)) => Some(!text.is_empty()),
            (Mode::Compat, Value::Array(_) | Value::Object(_)) => Some(true),
        };
        if truth == Some(holds) { vec![Vec::new()] } else { Vec::new() }
    }

    /// `equal` is the result of the comparison, `holds` the asserted truth of the expression.
    fn equality(
        &mut self,
        expr: &'p Expr,
        (a, b): (&'p Expr, &'p Expr),
        loose: bool,
        equal: bool,
        holds: bool,
    ) -> Normal {
        let (subject, value) = match (scalar(a), scalar(b)) {
            (None, Some(value)) => (a, value),
            (Some(value), None) => (b, value),
            (None, None) | (Some(_), Some(_)) => {
                let about = if loose { About::Equal(a, b) } else { About::Exact(a, b) };
                return self.claim(expr, holds, about, equal);
            }
        };
        let domain = match (equal, loose) {
            (true, _) => exactly(value),
            (false, true) => other_than(value),
            (false, false) => all_but(&[value]),
        };
        let want = if loose { Want::Like(value) } else { Want::Scalar };
        self.value(expr, subject, holds, want, domain)
    }

    fn ordering(&mut self, expr: &'p Expr, args: &'p [Expr], order: Order, holds: bool) -> Option<Normal> {
        match args {
            [a, b] => Some(self.pair(expr, a, b, order, holds)),
            [a, b, c] => {
                // In compat mode an undefined third operand is ignored.
                if self.mode == Mode::Compat && scalar(c).is_none() {
                    return Some(self.opaque(expr, holds));
                }
                let first = self.pair(expr, a, b, order, holds);
                let second = self.pair(expr, b, c, order, holds);
                if holds { both(&first, &second) } else { any(first, second) }
            }
            _ => Some(self.opaque(expr, holds)),
        }
    }

    fn pair(&mut self, expr: &'p Expr, a: &'p Expr, b: &'p Expr, order: Order, holds: bool) -> Normal {
        let (subject, value, seen) = match (scalar(a), scalar(b)) {
            (None, Some(value)) => (a, value, order),
            (Some(value), None) => (b, value, order.mirrored()),
            (None, None) | (Some(_), Some(_)) => return self.ordered(expr, a, b, order, holds),
        };
        match value {
            Value::Number(n) => {
                let n = n.as_f64().unwrap_or(f64::NAN);
                let domain = match if holds { seen } else { seen.denied() } {
                    Order::Less => Domain::interval(Bound::None, Bound::Open(n)),
                    Order::LessEqual => Domain::interval(Bound::None, Bound::Closed(n)),
                    Order::Greater => Domain::interval(Bound::Open(n), Bound::None),
                    Order::GreaterEqual => Domain::interval(Bound::Closed(n), Bound::None),
                };
                self.value(expr, subject, holds, Want::Number, domain)
            }
            Value::String(_) | Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                self.ordered(expr, a, b, order, holds)
            }
        }
    }

    /// An order between two unknown operands, known only to hold or not.
    fn ordered(&mut self, expr: &'p Expr, a: &'p Expr, b: &'p Expr, order: Order, holds: bool) -> Normal {
        // In strict mode a value that is not less is greater or equal; in compat mode it may be NaN.
        let (about, truth) = match (order, self.mode) {
            (Order::Less, _) => (About::Less(a, b), holds),
            (Order::Greater, _) => (About::Less(b, a), holds),
            (Order::LessEqual, Mode::Strict) => (About::Less(b, a), !holds),
            (Order::GreaterEqual, Mode::Strict) => (About::Less(a, b), !holds),
            (Order::LessEqual, Mode::Compat) => (About::LessEqual(a, b), holds),
            (Order::GreaterEqual, Mode::Compat) => (About::LessEqual(b, a), holds),
        };
        self.claim(expr, holds, about, truth)
    }

    fn membership(&mut self, expr: &'p Expr, needle: &'p Expr, haystack: &'p Expr, holds: bool) -> Normal {
        let ExprKind::List(items) = &haystack.kind else { return self.opaque(expr, holds) };
        let Some(values) = items.iter().map(scalar).collect::<Option<Vec<&Value>>>() else {
            return self.opaque(expr, holds);
        };
        if scalar(needle).is_some() {
            return self.opaque(expr, holds);
        }
        let domain = if holds {
            let mut all = Domain::NONE;
            for value in values {
                all.join(exactly(value));
            }
            all
        } else {
            all_but(&values)
        };
        self.value(expr, needle, holds, Want::Scalar, domain)
    }

    /// A condition that is a list, so no fact about a boolean: known where the type of the context says which paths are
    /// there, and otherwise a claim.
    fn missing(&mut self, expr: &'p Expr, op: Op, args: &'p [Expr], holds: bool) -> Normal {
        let known = match (op, self.mode) {
            (Op::Missing, Mode::Strict) => anything_missing(args, self.context),
            _ => None,
        };
        match known {
            Some(truth) if truth == holds => vec![Vec::new()],
            Some(_) => Vec::new(),
            None => self.claim(expr, holds, About::Whole(expr), holds),
        }
    }

    /// A fact about the value of `subject`, if its value behaves as JSON does.
    fn value(&mut self, expr: &'p Expr, subject: &'p Expr, holds: bool, want: Want<'_>, domain: Domain<'p>) -> Normal {
        if self.mode == Mode::Compat && !fit::fits(subject, self.context, want) {
            return self.opaque(expr, holds);
        }
        let source = Source { expr, holds };
        self.single(Atom::Fact(Fact { subject, domain, source }))
    }

    /// An expression of which only the truth is known.
    fn opaque(&mut self, expr: &'p Expr, holds: bool) -> Normal {
        match self.mode {
            Mode::Strict => self.value(expr, expr, holds, Want::Bool, Domain::bool(holds)),
            Mode::Compat => self.claim(expr, holds, About::Whole(expr), holds),
        }
    }

    fn claim(&mut self, expr: &'p Expr, holds: bool, about: About<'p>, truth: bool) -> Normal {
        let source = Source { expr, holds };
        let mode = self.mode;
        self.single(Atom::Claim(Claim { mode, about, holds: truth, source }))
    }

    fn single(&mut self, atom: Atom<'p>) -> Normal {
        self.atoms.push(atom);
        vec![vec![self.atoms.len() - 1]]
    }
}

/// Combines every conjunction of one with every conjunction of the other.
pub(super) fn both(a: &Normal, b: &Normal) -> Option<Normal> {
    if a.len().saturating_mul(b.len()) > MOST {
        return None;
    }
    let pairs = a.iter().flat_map(|left| b.iter().map(move |right| (left, right)));
    Some(pairs.map(|(left, right)| [left.as_slice(), right.as_slice()].concat()).collect())
}

fn any(mut a: Normal, b: Normal) -> Option<Normal> {
    a.extend(b);
    (a.len() <= MOST).then_some(a)
}

/// Returns true if one of these paths is on no context of the type, false if all are on every one, and `None` if it
/// depends on the context or the paths are computed.
fn anything_missing(args: &[Expr], context: &Ty) -> Option<bool> {
    let keys = match args {
        [Expr { kind: ExprKind::List(items), .. }, ..] => items,
        args => args,
    };
    let mut all_there = true;
    let mut one_absent = false;
    for key in keys {
        let ExprKind::Literal(Value::String(path)) = &key.kind else { return None };
        // The empty path is the whole data, which is always there.
        if path.is_empty() {
            continue;
        }
        let segments: Vec<&str> = path.split('.').collect();
        match context.at(&segments) {
            Lookup::Found { optional, .. } => all_there &= !optional,
            Lookup::Unknown { .. } => one_absent = true,
            Lookup::Open => all_there = false,
        }
    }
    match (one_absent, all_there) {
        (true, _) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    }
}

fn scalar(expr: &Expr) -> Option<&Value> {
    match &expr.kind {
        ExprKind::Literal(value) if !value.is_object() => Some(value),
        ExprKind::Literal(_) | ExprKind::List(_) | ExprKind::Var(_) | ExprKind::Call { .. } => None,
    }
}

fn exactly(value: &Value) -> Domain<'_> {
    match value {
        Value::Null => Domain { null: true, ..Domain::NONE },
        Value::Bool(b) => Domain::bool(*b),
        Value::Number(n) => Domain::numbers(Members::Only(n.as_f64().into_iter().collect())),
        Value::String(text) => Domain::texts(Members::Only(vec![text])),
        Value::Array(_) => Domain { array: true, ..Domain::NONE },
        Value::Object(_) => Domain { object: true, ..Domain::NONE },
    }
}

/// Returns the values that a loose comparison with a value can have, without error, if it is not equal: null, or
/// another value of its type. Compared with null, anything else.
fn other_than(value: &Value) -> Domain<'_> {
    let mut domain = match value {
        Value::Null => return Domain { null: false, ..Domain::ALL },
        Value::Bool(b) => Domain::bool(!b),
        Value::Number(n) => Domain::numbers(Members::Except(n.as_f64().into_iter().collect())),
        Value::String(text) => Domain::texts(Members::Except(vec![text])),
        Value::Array(_) => Domain { array: true, ..Domain::NONE },
        Value::Object(_) => Domain { object: true, ..Domain::NONE },
    };
    domain.null = true;
    domain
}

fn all_but<'p>(values: &[&'p Value]) -> Domain<'p> {
    let mut domain = Domain::ALL;
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    for value in values {
        match value {
            Value::Null => domain.null = false,
            Value::Bool(true) => domain.yes = false,
            Value::Bool(false) => domain.no = false,
            Value::Number(n) => numbers.extend(n.as_f64()),
            Value::String(text) => texts.push(text.as_str()),
            Value::Array(_) | Value::Object(_) => {}
        }
    }
    domain.numbers.members = Members::Except(numbers);
    domain.texts = Members::Except(texts);
    domain
}
