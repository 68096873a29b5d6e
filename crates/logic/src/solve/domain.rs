//! Sets of JSON values, exact for scalars and coarse for arrays and objects.

use crate::ty::Ty;

/// A set of possible values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Domain<'p> {
    pub(super) null: bool,
    pub(super) no: bool,
    pub(super) yes: bool,
    pub(super) numbers: Numbers,
    pub(super) texts: Texts<'p>,
    pub(super) array: bool,
    pub(super) object: bool,
}

/// Numbers between two bounds, in a list or outside of one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Numbers {
    pub(super) low: Bound,
    pub(super) high: Bound,
    pub(super) members: Members<f64>,
}

/// One end of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    None,
    Closed(f64),
    Open(f64),
}

/// A list of the only members, or of the excluded ones.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Members<T> {
    Only(Vec<T>),
    Except(Vec<T>),
}

/// Strings in a list or outside of one.
pub(super) type Texts<'p> = Members<&'p str>;

impl<T: PartialEq + Clone> Members<T> {
    const NONE: Members<T> = Members::Only(Vec::new());
    const ALL: Members<T> = Members::Except(Vec::new());

    fn has(&self, value: &T) -> bool {
        match self {
            Members::Only(list) => list.contains(value),
            Members::Except(list) => !list.contains(value),
        }
    }

    fn meet(&mut self, other: &Members<T>) {
        match (&mut *self, other) {
            (Members::Only(list), other) => list.retain(|value| other.has(value)),
            (Members::Except(list), Members::Except(more)) => list.extend_from_slice(more),
            (Members::Except(_), Members::Only(list)) => {
                let mut list = list.clone();
                list.retain(|value| self.has(value));
                *self = Members::Only(list);
            }
        }
    }

    fn join(&mut self, other: Members<T>) {
        match (&mut *self, other) {
            (Members::Only(list), Members::Only(more)) => list.extend(more),
            // A value that is excluded from one may be in the other, so nothing is excluded.
            (Members::Only(_) | Members::Except(_), _) => *self = Members::ALL,
        }
    }

    fn is_none(&self) -> bool {
        matches!(self, Members::Only(list) if list.is_empty())
    }
}

impl Numbers {
    const NONE: Numbers = Numbers { low: Bound::None, high: Bound::None, members: Members::NONE };
    const ALL: Numbers = Numbers { low: Bound::None, high: Bound::None, members: Members::ALL };

    fn meet(&mut self, other: &Numbers) {
        self.low = tighter(self.low, other.low, |a, b| a > b);
        self.high = tighter(self.high, other.high, |a, b| a < b);
        self.members.meet(&other.members);
        let (low, high) = (self.low, self.high);
        if let Members::Only(list) = &mut self.members {
            list.retain(|n| above(low, *n) && below(high, *n));
        }
    }

    fn join(&mut self, other: Numbers) {
        if self.members.is_none() {
            *self = other;
        } else if !other.members.is_none() {
            let bounded = self.low != Bound::None
                || self.high != Bound::None
                || other.low != Bound::None
                || other.high != Bound::None;
            if bounded {
                // Two intervals are not one; the whole line is a safe answer.
                *self = Numbers::ALL;
            } else {
                self.members.join(other.members);
            }
        }
    }

    fn is_none(&self) -> bool {
        if self.members.is_none() {
            return true;
        }
        match (self.low, self.high) {
            (Bound::None, _) | (_, Bound::None) => false,
            (Bound::Closed(low), Bound::Closed(high)) => low > high || (low == high && !self.members.has(&low)),
            (Bound::Closed(low) | Bound::Open(low), Bound::Closed(high) | Bound::Open(high)) => low >= high,
        }
    }
}

fn tighter(a: Bound, b: Bound, inside: fn(f64, f64) -> bool) -> Bound {
    match (a, b) {
        (Bound::None, other) | (other, Bound::None) => other,
        (Bound::Closed(x) | Bound::Open(x), Bound::Closed(y) | Bound::Open(y)) => {
            if inside(x, y) {
                a
            } else if inside(y, x) {
                b
            } else if matches!(a, Bound::Open(_)) {
                a
            } else {
                b
            }
        }
    }
}

fn above(low: Bound, n: f64) -> bool {
    match low {
        Bound::None => true,
        Bound::Closed(low) => n >= low,
        Bound::Open(low) => n > low,
    }
}

fn below(high: Bound, n: f64) -> bool {
    match high {
        Bound::None => true,
        Bound::Closed(high) => n <= high,
        Bound::Open(high) => n < high,
    }
}

impl<'p> Domain<'p> {
    /// The empty set.
    pub(super) const NONE: Domain<'p> = Domain {
        null: false,
        no: false,
        yes: false,
        numbers: Numbers::NONE,
        texts: Members::NONE,
        array: false,
        object: false,
    };

    /// The set of all values.
    pub(super) const ALL: Domain<'p> = Domain {
        null: true,
        no: true,
        yes: true,
        numbers: Numbers::ALL,
        texts: Members::ALL,
        array: true,
        object: true,
    };

    pub(super) fn bool(value: bool) -> Domain<'p> {
        Domain { yes: value, no: !value, ..Domain::NONE }
    }

    pub(super) fn interval(low: Bound, high: Bound) -> Domain<'p> {
        Domain { numbers: Numbers { low, high, members: Members::ALL }, ..Domain::NONE }
    }

    pub(super) fn texts(members: Texts<'p>) -> Domain<'p> {
        Domain { texts: members, ..Domain::NONE }
    }

    pub(super) fn numbers(members: Members<f64>) -> Domain<'p> {
        let numbers = Numbers { members, ..Numbers::ALL };
        Domain { numbers, ..Domain::NONE }
    }

    /// Returns the values that a type admits, or a superset.
    pub(super) fn of(ty: &'p Ty) -> Domain<'p> {
        match ty {
            Ty::Any => Domain::ALL,
            Ty::Null => Domain { null: true, ..Domain::NONE },
            Ty::Bool => Domain { yes: true, no: true, ..Domain::NONE },
            Ty::Number { min: Some(min), max: Some(max) } if min == max => Domain::numbers(Members::Only(vec![*min])),
            Ty::Number { min, max } => {
                let bound = |end: &Option<f64>| end.map_or(Bound::None, Bound::Closed);
                Domain::interval(bound(min), bound(max))
            }
            Ty::String { values: None } => Domain::texts(Members::ALL),
            Ty::String { values: Some(values) } => {
                Domain::texts(Members::Only(values.iter().map(String::as_str).collect()))
            }
            Ty::Array(_) => Domain { array: true, ..Domain::NONE },
            Ty::Object { .. } => Domain { object: true, ..Domain::NONE },
            Ty::Union(variants) => {
                let mut all = Domain::NONE;
                for variant in variants {
                    all.join(Domain::of(variant));
                }
                all
            }
        }
    }

    pub(super) fn meet(&mut self, other: &Domain<'p>) {
        self.null &= other.null;
        self.no &= other.no;
        self.yes &= other.yes;
        self.numbers.meet(&other.numbers);
        self.texts.meet(&other.texts);
        self.array &= other.array;
        self.object &= other.object;
    }

    pub(super) fn join(&mut self, other: Domain<'p>) {
        self.null |= other.null;
        self.no |= other.no;
        self.yes |= other.yes;
        self.numbers.join(other.numbers);
        self.texts.join(other.texts);
        self.array |= other.array;
        self.object |= other.object;
    }

    pub(super) fn is_none(&self) -> bool {
        let scalar = self.null || self.no || self.yes || self.array || self.object;
        !scalar && self.numbers.is_none() && self.texts.is_none()
    }
}
