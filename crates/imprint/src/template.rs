//! Templates as values, apart from their text: places with allowed and required values.
//!
//! A template is a graph. A shape that is used in several places, or inside itself, is one node; only writing
//! it down makes a tree of it.

use deed_diag::Invariant;
use serde_json::{Number, Value};
use std::fmt;
use std::ops::{BitAnd, BitOr};

/// A node of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) usize);

/// A schema as a model is shown it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Template {
    pub(crate) nodes: Vec<Node>,
    pub(crate) root: NodeId,
    /// Its purpose, in a few words.
    pub(crate) title: String,
    /// The severity of a mistake, in the author's words (`x-deed-severity`).
    pub(crate) severity: String,
    /// The next action once it is filled, in the author's words (`x-deed-next`).
    pub(crate) next: String,
    /// The parts of the schema that the template does not show.
    pub(crate) unshown: Vec<Unshown>,
}

/// Something that a schema says and a template cannot show; it is still enforced on the way back.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, schemars::JsonSchema)]
pub struct Unshown {
    /// The keyword, or the name of the limit that was reached.
    pub what: String,
    /// The place in the template, `*` standing for any item or key.
    pub at: String,
}

/// One place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) shape: Shape,
    /// True if null may stand here too.
    pub(crate) nullable: bool,
    /// A short description for the model that fills it.
    pub(crate) note: String,
    /// The default.
    pub(crate) default: Option<Value>,
    /// A value that could stand here.
    pub(crate) example: Option<Value>,
    /// Values that must not stand here.
    pub(crate) not: Vec<Value>,
    /// True if writing stopped here for depth.
    pub(crate) stopped: bool,
    /// The name the schema gives the shape.
    pub(crate) label: Option<String>,
    /// The type is said by the shape and not by the schema: other types pass too.
    pub(crate) loose: bool,
}

/// The values that are allowed at a place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    /// Anything.
    Any,
    /// Nothing.
    Never,
    /// A scalar, or an object or list of which nothing more is known.
    Leaf(Leaf),
    /// One of these values.
    Choice(Vec<Value>),
    /// An object.
    Object(Object),
    /// A list of one kind.
    List(List),
    /// A list whose places differ.
    Tuple(Tuple),
    /// One of several shapes.
    Union(Union),
    /// JSON that goes over the wire as text.
    Text(NodeId),
}

/// A scalar and what bounds it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Leaf {
    pub(crate) types: Types,
    pub(crate) format: Option<String>,
    pub(crate) range: Range,
    pub(crate) step: Option<Number>,
    pub(crate) length: Bounds,
    /// A regular expression whose slashes are escaped, or the name of one.
    pub(crate) pattern: Option<String>,
}

/// An object.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Object {
    pub(crate) fields: Vec<Field>,
    /// Rules for keys that are not listed.
    pub(crate) keys: Vec<KeyRule>,
    /// True if keys that are neither listed nor covered by a rule are refused.
    pub(crate) closed: bool,
    pub(crate) count: Bounds,
    pub(crate) groups: Vec<Group>,
    /// Of each set of alternatives, one must be there whole.
    pub(crate) needs: Vec<Vec<Vec<String>>>,
}

/// A listed key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) node: NodeId,
    pub(crate) presence: Presence,
    /// Keys that must be there if this one is.
    pub(crate) with: Vec<String>,
    /// A few words for this use of the shape.
    pub(crate) note: String,
    /// True if it is written: what is only read is left out of a request.
    pub(crate) shown: bool,
}

/// The party that must give a key, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Presence {
    /// By the model that fills the template.
    #[default]
    Fill,
    /// By the model that fills the template, or not at all.
    Optional,
    /// By the system; a required one must be supplied.
    Auto { required: bool },
}

/// A rule for keys that are not listed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KeyRule {
    /// The form of the key.
    pub(crate) name: Leaf,
    pub(crate) node: NodeId,
    /// True if it speaks of all keys that are not listed and have no rule of their own.
    pub(crate) rest: bool,
}

/// More fields of an object, under a condition.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    pub(crate) kind: GroupKind,
    pub(crate) variants: Vec<NodeId>,
}

/// The condition under which the fields of a group apply.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GroupKind {
    /// The fields of one of the variants.
    Union(UnionKind),
    /// Those of the only variant, while every test holds; with `negated`, while one does not.
    When { tests: Vec<KeyTest>, negated: bool },
    /// Those of the only variant, while a key is there.
    With(String),
}

/// The test of a condition on one key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KeyTest {
    pub(crate) name: String,
    /// The values that are listed.
    pub(crate) values: Vec<Value>,
    /// True if a key that is not given counts as listed.
    pub(crate) absent: bool,
    /// True if the key must not be listed.
    pub(crate) negated: bool,
}

/// The number of variants of a union that may fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnionKind {
    /// Exactly one.
    One,
    /// One or more.
    Any,
}

/// One of several shapes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Union {
    pub(crate) kind: UnionKind,
    pub(crate) variants: Vec<NodeId>,
    /// The key that tells them apart.
    pub(crate) by: Option<String>,
}

/// A list of one kind.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct List {
    pub(crate) items: NodeId,
    pub(crate) count: Bounds,
    pub(crate) unique: bool,
}

/// A list whose places differ.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tuple {
    pub(crate) items: Vec<NodeId>,
    pub(crate) rest: Rest,
    pub(crate) count: Bounds,
    pub(crate) unique: bool,
}

/// The items behind the places of a tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Anything.
    Open,
    /// Nothing.
    Closed,
    /// Items of this kind.
    Of(NodeId),
}

/// A set of JSON types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Types(u8);

impl Types {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const STRING: Self = Self(1);
    pub(crate) const INTEGER: Self = Self(2);
    /// Numbers that are not whole.
    pub(crate) const FRACTION: Self = Self(4);
    pub(crate) const NUMBER: Self = Self(6);
    pub(crate) const BOOLEAN: Self = Self(8);
    pub(crate) const NULL: Self = Self(16);
    pub(crate) const OBJECT: Self = Self(32);
    pub(crate) const ARRAY: Self = Self(64);
    pub(crate) const ALL: Self = Self(127);
    pub(crate) const NAMED: [(&'static str, Self); 7] = [
        ("string", Self::STRING),
        ("number", Self::NUMBER),
        ("integer", Self::INTEGER),
        ("boolean", Self::BOOLEAN),
        ("object", Self::OBJECT),
        ("array", Self::ARRAY),
        ("null", Self::NULL),
    ];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, _)| *known == name).map(|(_, types)| *types)
    }

    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(n) if n.is_i64() || n.is_u64() => Self::INTEGER,
            Value::Number(n) if n.as_f64().is_some_and(|f| f.fract() == 0.0) => Self::INTEGER,
            Value::Number(_) => Self::FRACTION,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The names, `number` standing for `integer` too.
    pub(crate) fn names(self) -> Vec<&'static str> {
        let mut left = self;
        let mut names = Vec::new();
        for (name, types) in Self::NAMED {
            if left.has(types) {
                names.push(name);
                left = left.without(types);
            }
        }
        names
    }
}

impl Default for Types {
    fn default() -> Self {
        Self::ALL
    }
}

impl BitAnd for Types {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Types {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl fmt::Debug for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join("/"))
    }
}

/// A count: a least and a most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Bounds {
    pub(crate) least: u64,
    pub(crate) most: Option<u64>,
}

impl Bounds {
    pub(crate) fn is_free(self) -> bool {
        self == Self::default()
    }

    pub(crate) fn at_least(&mut self, least: u64) {
        self.least = self.least.max(least);
    }

    pub(crate) fn at_most(&mut self, most: u64) {
        self.most = Some(self.most.map_or(most, |known| known.min(most)));
    }

    /// Returns true if no number is within.
    pub(crate) fn is_void(self) -> bool {
        self.most.is_some_and(|most| most < self.least)
    }
}

/// A range of numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Range {
    pub(crate) low: Option<Bound>,
    pub(crate) high: Option<Bound>,
}

/// One end of a range.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bound {
    pub(crate) value: Number,
    /// True if the value itself is outside.
    pub(crate) beyond: bool,
}

impl Range {
    pub(crate) fn is_free(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    pub(crate) fn raise(&mut self, bound: Bound) {
        let tighter = |known: &Bound| stricter(&bound, known, 1.0);
        if self.low.as_ref().is_none_or(tighter) {
            self.low = Some(bound);
        }
    }

    pub(crate) fn lower(&mut self, bound: Bound) {
        let tighter = |known: &Bound| stricter(&bound, known, -1.0);
        if self.high.as_ref().is_none_or(tighter) {
            self.high = Some(bound);
        }
    }

    /// Returns true if no number is within.
    pub(crate) fn is_void(&self) -> bool {
        let (Some(low), Some(high)) = (&self.low, &self.high) else { return false };
        let (Some(least), Some(most)) = (low.value.as_f64(), high.value.as_f64()) else { return false };
        least > most || (least == most && (low.beyond || high.beyond))
    }
}

fn stricter(new: &Bound, known: &Bound, sign: f64) -> bool {
    let (Some(a), Some(b)) = (new.value.as_f64(), known.value.as_f64()) else { return false };
    sign * a > sign * b || (a == b && new.beyond && !known.beyond)
}

impl Node {
    pub(crate) fn new(shape: Shape) -> Self {
        Self {
            shape,
            nullable: false,
            note: String::new(),
            default: None,
            example: None,
            not: Vec::new(),
            stopped: false,
            label: None,
            loose: false,
        }
    }
}

impl Template {
    /// The node of an id, which must come from this template.
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.0).invariant("a node id belongs to its template")
    }
}
