//! The operators: their names, their number of arguments, and suggestions for unknown names.

use std::fmt;

/// An operator other than `var`, which has its own kind of expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each variant is the operator that `name` spells")]
pub enum Op {
    Missing,
    MissingSome,
    If,
    Equal,
    StrictEqual,
    NotEqual,
    StrictNotEqual,
    Not,
    Truthy,
    Or,
    And,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    Max,
    Min,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Map,
    Reduce,
    Filter,
    All,
    None,
    Some,
    Merge,
    In,
    Cat,
    Substr,
    Log,
}

/// Every operator with its name. `?:` is an alias of `if`.
const NAMES: [(&str, Op); 34] = [
    ("missing", Op::Missing),
    ("missing_some", Op::MissingSome),
    ("if", Op::If),
    ("?:", Op::If),
    ("==", Op::Equal),
    ("===", Op::StrictEqual),
    ("!=", Op::NotEqual),
    ("!==", Op::StrictNotEqual),
    ("!", Op::Not),
    ("!!", Op::Truthy),
    ("or", Op::Or),
    ("and", Op::And),
    (">", Op::Greater),
    (">=", Op::GreaterEqual),
    ("<", Op::Less),
    ("<=", Op::LessEqual),
    ("max", Op::Max),
    ("min", Op::Min),
    ("+", Op::Add),
    ("-", Op::Subtract),
    ("*", Op::Multiply),
    ("/", Op::Divide),
    ("%", Op::Remainder),
    ("map", Op::Map),
    ("reduce", Op::Reduce),
    ("filter", Op::Filter),
    ("all", Op::All),
    ("none", Op::None),
    ("some", Op::Some),
    ("merge", Op::Merge),
    ("in", Op::In),
    ("cat", Op::Cat),
    ("substr", Op::Substr),
    ("log", Op::Log),
];

/// The name of the variable operator, which is not an [`Op`].
pub(crate) const VAR: &str = "var";

/// The number of arguments of an operator in strict mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arity {
    Exactly(usize),
    Between(usize, usize),
    AtLeast(usize),
    /// Condition and branch pairs closed by an else.
    OddFromThree,
}

impl Op {
    /// Returns the operator with this name, if there is one.
    pub fn named(name: &str) -> Option<Op> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, op)| *op)
    }

    /// Returns its name in rules.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, op)| *op == self).map_or("", |(name, _)| name)
    }

    /// Returns true if the second argument is evaluated once for each element of the first.
    pub fn iterates(self) -> bool {
        matches!(self, Op::Map | Op::Reduce | Op::Filter | Op::All | Op::None | Op::Some)
    }

    pub(crate) fn arity(self) -> Arity {
        match self {
            Op::If => Arity::OddFromThree,
            Op::Equal
            | Op::StrictEqual
            | Op::NotEqual
            | Op::StrictNotEqual
            | Op::Greater
            | Op::GreaterEqual
            | Op::Divide
            | Op::Remainder
            | Op::MissingSome
            | Op::Map
            | Op::Filter
            | Op::All
            | Op::None
            | Op::Some
            | Op::In => Arity::Exactly(2),
            Op::Not | Op::Truthy | Op::Log => Arity::Exactly(1),
            Op::Reduce => Arity::Exactly(3),
            Op::Less | Op::LessEqual | Op::Substr => Arity::Between(2, 3),
            Op::Subtract => Arity::Between(1, 2),
            Op::Missing | Op::Or | Op::And | Op::Max | Op::Min | Op::Add | Op::Multiply | Op::Merge | Op::Cat => {
                Arity::AtLeast(1)
            }
        }
    }
}

impl Arity {
    pub(crate) fn accepts(self, count: usize) -> bool {
        match self {
            Arity::Exactly(n) => count == n,
            Arity::Between(low, high) => (low..=high).contains(&count),
            Arity::AtLeast(n) => count >= n,
            Arity::OddFromThree => count >= 3 && count % 2 == 1,
        }
    }
}

impl fmt::Display for Arity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arity::Exactly(1) => write!(f, "1 argument"),
            Arity::Exactly(n) => write!(f, "{n} arguments"),
            Arity::Between(low, high) => write!(f, "{low} to {high} arguments"),
            Arity::AtLeast(1) => write!(f, "at least 1 argument"),
            Arity::AtLeast(n) => write!(f, "at least {n} arguments"),
            Arity::OddFromThree => write!(f, "an odd number of arguments, at least 3"),
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the operator name that is most similar to an unknown one.
pub(crate) fn suggest(name: &str) -> Option<String> {
    let alias = match name {
        "&&" | "AND" => Some("and"),
        "||" | "OR" => Some("or"),
        "not" | "NOT" => Some("!"),
        "eq" | "=" => Some("=="),
        "ne" | "<>" => Some("!="),
        "gt" => Some(">"),
        "gte" | "ge" | "=>" => Some(">="),
        "lt" => Some("<"),
        "lte" | "le" | "=<" => Some("<="),
        "any" => Some("some"),
        "concat" => Some("cat"),
        _ => None,
    };
    let known = NAMES.iter().map(|(known, _)| *known).chain([VAR]);
    alias.map(str::to_owned).or_else(|| crate::suggest::nearest(name, known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_back_to_its_operator() {
        for (name, op) in NAMES {
            assert_eq!(Op::named(name), Some(op));
            assert!(name == op.name() || name == "?:");
        }
    }

    #[test]
    fn a_near_miss_is_suggested() {
        assert_eq!(suggest("mising"), Some("missing".to_owned()));
        assert_eq!(suggest("&&"), Some("and".to_owned()));
        assert_eq!(suggest("vra"), Some("var".to_owned()));
        assert_eq!(suggest("teleport"), None);
    }
}
