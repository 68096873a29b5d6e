//! Values during an evaluation, borrowed from the data or the rule if possible.

use std::ops::Deref;
use std::rc::Rc;

use serde_json::{Map, Number, Value};

use crate::scope::Scope;

/// The maximum nesting of arrays that an evaluation may build. A `reduce` could otherwise wrap its accumulator once for
/// each element, and dropping such a value would exhaust the stack.
pub(crate) const DEEPEST_BUILT: usize = 128;

/// A value. Arrays and objects have an identity, as in JavaScript: borrowed ones by address, built ones by their shared
/// pointer.
#[derive(Clone, Debug)]
pub(crate) enum Val<'a> {
    /// JavaScript's undefined; never arises in strict mode.
    Undefined,
    Null,
    Bool(bool),
    Num(f64),
    Str(Text<'a>),
    /// An array of the data or the rule.
    Items(&'a Vec<Value>),
    /// An object of the data or the rule.
    Fields(&'a Map<String, Value>),
    /// The outermost data, if it lies in several places.
    Scope(&'a Scope<'a>),
    /// An array the evaluation built.
    List(Rc<List<'a>>),
    /// The scope of a `reduce` body.
    Pair(Rc<Pair<'a>>),
}

/// A string. A built one is shared, because a `reduce` reads its accumulator repeatedly.
#[derive(Clone, Debug)]
pub(crate) enum Text<'a> {
    Borrowed(&'a str),
    Built(Rc<str>),
}

impl Deref for Text<'_> {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match self {
            Text::Borrowed(text) => text,
            Text::Built(text) => text,
        }
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Text<'_>) -> bool {
        **self == **other
    }
}

/// A built array, the nesting of built values in it, and the number of its parts when written out: shared parts count
/// each time, so the number can be far larger than what was built.
#[derive(Debug)]
pub(crate) struct List<'a> {
    pub(crate) items: Vec<Val<'a>>,
    depth: usize,
    weight: u64,
}

/// The scope of a `reduce` body.
#[derive(Debug)]
pub(crate) struct Pair<'a> {
    pub(crate) current: Val<'a>,
    pub(crate) accumulator: Val<'a>,
    depth: usize,
}

/// The elements of an array, in either representation.
#[derive(Clone, Debug)]
pub(crate) enum Elements<'a> {
    Borrowed(&'a [Value]),
    Built(Rc<List<'a>>),
}

/// The kind of a value, for messages and comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Undefined,
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Kind::Undefined => "undefined",
            Kind::Null => "null",
            Kind::Bool => "a boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::Array => "an array",
            Kind::Object => "an object",
        }
    }
}

impl<'a> Val<'a> {
    #[inline]
    pub(crate) fn of(value: &'a Value) -> Val<'a> {
        match value {
            Value::Null => Val::Null,
            Value::Bool(b) => Val::Bool(*b),
            Value::Number(n) => Val::Num(n.as_f64().unwrap_or(f64::NAN)),
            Value::String(s) => Val::Str(Text::Borrowed(s)),
            Value::Array(items) => Val::Items(items),
            Value::Object(fields) => Val::Fields(fields),
        }
    }

    pub(crate) fn text(text: String) -> Val<'a> {
        Val::Str(Text::Built(Rc::from(text)))
    }

    /// Builds an array, or returns `None` if it would nest too deeply.
    pub(crate) fn list(items: Vec<Val<'a>>) -> Option<Val<'a>> {
        let depth = 1 + items.iter().map(Val::depth).max().unwrap_or(0);
        let weight = items.iter().fold(1, |sum: u64, item| sum.saturating_add(item.weight()));
        (depth <= DEEPEST_BUILT).then(|| Val::List(Rc::new(List { items, depth, weight })))
    }

    /// Builds the scope of a `reduce` body, or returns `None` if it would nest too deeply.
    pub(crate) fn pair(current: Val<'a>, accumulator: Val<'a>) -> Option<Val<'a>> {
        let depth = 1 + current.depth().max(accumulator.depth());
        (depth <= DEEPEST_BUILT).then(|| Val::Pair(Rc::new(Pair { current, accumulator, depth })))
    }

    /// Counts the parts to convert when this becomes a string or a number.
    pub(crate) fn weight(&self) -> u64 {
        match self {
            Val::List(list) => list.weight,
            Val::Items(items) => weigh(items),
            Val::Str(text) => weigh_text(text),
            Val::Undefined | Val::Null | Val::Bool(_) | Val::Num(_) | Val::Fields(_) | Val::Scope(_) | Val::Pair(_) => {
                1
            }
        }
    }

    fn depth(&self) -> usize {
        match self {
            Val::List(list) => list.depth,
            Val::Pair(pair) => pair.depth,
            Val::Undefined
            | Val::Null
            | Val::Bool(_)
            | Val::Num(_)
            | Val::Str(_)
            | Val::Items(_)
            | Val::Fields(_)
            | Val::Scope(_) => 0,
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Val::Undefined => Kind::Undefined,
            Val::Null => Kind::Null,
            Val::Bool(_) => Kind::Bool,
            Val::Num(_) => Kind::Number,
            Val::Str(_) => Kind::String,
            Val::Items(_) | Val::List(_) => Kind::Array,
            Val::Fields(_) | Val::Scope(_) | Val::Pair(_) => Kind::Object,
        }
    }

    pub(crate) fn elements(&self) -> Option<Elements<'a>> {
        match self {
            Val::Items(items) => Some(Elements::Borrowed(items)),
            Val::List(list) => Some(Elements::Built(Rc::clone(list))),
            Val::Undefined
            | Val::Null
            | Val::Bool(_)
            | Val::Num(_)
            | Val::Str(_)
            | Val::Fields(_)
            | Val::Scope(_)
            | Val::Pair(_) => None,
        }
    }

    /// Returns the fields of an object, in the order of its map.
    pub(crate) fn entries(&self) -> Option<Vec<(&str, Val<'a>)>> {
        match self {
            Val::Fields(fields) => Some(fields.iter().map(|(k, v)| (k.as_str(), Val::of(v))).collect()),
            Val::Scope(scope) => Some(scope.entries().map(|(k, v)| (k, Val::of(v))).collect()),
            Val::Pair(pair) => Some(vec![("accumulator", pair.accumulator.clone()), ("current", pair.current.clone())]),
            Val::Undefined | Val::Null | Val::Bool(_) | Val::Num(_) | Val::Str(_) | Val::Items(_) | Val::List(_) => {
                None
            }
        }
    }

    /// Returns a field of an object.
    pub(crate) fn field(&self, name: &str) -> Option<Val<'a>> {
        match self {
            Val::Fields(fields) => fields.get(name).map(Val::of),
            Val::Scope(scope) => scope.get(name).map(Val::of),
            Val::Pair(pair) => match name {
                "current" => Some(pair.current.clone()),
                "accumulator" => Some(pair.accumulator.clone()),
                _ => None,
            },
            Val::Undefined | Val::Null | Val::Bool(_) | Val::Num(_) | Val::Str(_) | Val::Items(_) | Val::List(_) => {
                None
            }
        }
    }

    /// Returns true if two arrays or objects are identical.
    pub(crate) fn identical(&self, other: &Val<'a>) -> bool {
        match (self, other) {
            (Val::Items(a), Val::Items(b)) => std::ptr::eq(*a, *b),
            (Val::Fields(a), Val::Fields(b)) => std::ptr::eq(*a, *b),
            (Val::Scope(a), Val::Scope(b)) => std::ptr::eq(*a, *b),
            (Val::List(a), Val::List(b)) => Rc::ptr_eq(a, b),
            (Val::Pair(a), Val::Pair(b)) => Rc::ptr_eq(a, b),
            (
                Val::Undefined
                | Val::Null
                | Val::Bool(_)
                | Val::Num(_)
                | Val::Str(_)
                | Val::Items(_)
                | Val::Fields(_)
                | Val::Scope(_)
                | Val::List(_)
                | Val::Pair(_),
                _,
            ) => false,
        }
    }
}

impl<'a> Elements<'a> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Elements::Borrowed(items) => items.len(),
            Elements::Built(list) => list.items.len(),
        }
    }

    pub(crate) fn get(&self, index: usize) -> Option<Val<'a>> {
        match self {
            Elements::Borrowed(items) => items.get(index).map(Val::of),
            Elements::Built(list) => list.items.get(index).cloned(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Val<'a>> + '_ {
        (0..self.len()).filter_map(|i| self.get(i))
    }
}

/// The steps of reading a string: one for a short one, more for a long one.
#[inline]
fn weigh_text(text: &str) -> u64 {
    1 + u64::try_from(text.len() / 64).unwrap_or(u64::MAX / 2)
}

fn weigh(items: &[Value]) -> u64 {
    items.iter().fold(1, |sum: u64, item| {
        sum.saturating_add(match item {
            Value::Array(inner) => weigh(inner),
            Value::String(text) => weigh_text(text),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => 1,
        })
    })
}

/// Converts a number to JSON: integral values in the safe range become integers, so that 3.0 read and 3 computed are
/// one value.
pub(crate) fn number(n: f64) -> Option<Number> {
    const SAFE: f64 = 9_007_199_254_740_991.0;
    if n.fract() == 0.0 && n.abs() <= SAFE {
        #[allow(clippy::cast_possible_truncation, reason = "integral and in the safe range")]
        return Some(Number::from(n as i64));
    }
    Number::from_f64(n)
}

/// Returns the index that a path segment names in an array: decimal, without leading zeros.
pub(crate) fn index(segment: &str) -> Option<usize> {
    let canonical = segment.bytes().all(|b| b.is_ascii_digit()) && (segment == "0" || !segment.starts_with('0'));
    if canonical { segment.parse().ok() } else { None }
}
