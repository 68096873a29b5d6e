//! The join of types: the smallest type that admits the values of both.

use super::Ty;

impl Ty {
    /// Returns a type for values of either.
    pub(crate) fn join(self, other: Ty) -> Ty {
        if self == other {
            return self;
        }
        if self == Ty::Any || other == Ty::Any {
            return Ty::Any;
        }
        let mut variants = Vec::new();
        for variant in self.variants().iter().chain(other.variants()) {
            add(&mut variants, variant.clone());
        }
        match variants.len() {
            1 => variants.pop().unwrap_or(Ty::Any),
            _ => Ty::Union(variants),
        }
    }

    /// Returns a type for values of any of these; `Any` if there are none.
    pub(crate) fn union(types: impl IntoIterator<Item = Ty>) -> Ty {
        types.into_iter().reduce(Ty::join).unwrap_or(Ty::Any)
    }

    /// Returns true if every value of this type is surely one of the other's.
    pub(crate) fn within(&self, other: &Ty) -> bool {
        if *other == Ty::Any {
            return true;
        }
        self.variants().iter().all(|variant| {
            other.variants().iter().any(|wider| match (variant, wider) {
                (Ty::Number { min, max }, Ty::Number { min: low, max: high }) => {
                    low.is_none_or(|low| min.is_some_and(|min| min >= low))
                        && high.is_none_or(|high| max.is_some_and(|max| max <= high))
                }
                (Ty::String { values }, Ty::String { values: wider }) => match (values, wider) {
                    (_, None) => true,
                    (None, Some(_)) => false,
                    (Some(values), Some(wider)) => values.is_subset(wider),
                },
                (Ty::Array(item), Ty::Array(wider)) => item.within(wider),
                (variant, wider) => variant == wider,
            })
        })
    }
}

/// Merges strings and booleans; other types stay side by side.
fn add(variants: &mut Vec<Ty>, new: Ty) {
    for old in variants.iter_mut() {
        if *old == new {
            return;
        }
        match (&mut *old, &new) {
            (Ty::String { values: Some(old) }, Ty::String { values: Some(new) }) => {
                old.extend(new.iter().cloned());
                return;
            }
            (Ty::String { values }, Ty::String { .. }) => {
                *values = None;
                return;
            }
            (Ty::Number { min: None, max: None }, Ty::Number { .. }) => return,
            (Ty::Array(old), Ty::Array(new)) => {
                let joined = std::mem::replace(&mut **old, Ty::Any).join((**new).clone());
                **old = joined;
                return;
            }
            _ => {}
        }
    }
    variants.push(new);
}
