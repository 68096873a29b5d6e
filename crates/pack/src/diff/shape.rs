//! The table of classes as data: a shape for every field, so that a field without one cannot be missed.

use super::class::ChangeClass;
use crate::overlay::tighten::Strictness;
use deed_model::ContextPack;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A class and the reason for it.
pub(super) struct Verdict {
    pub(super) class: ChangeClass,
    pub(super) why: String,
}

impl Verdict {
    pub(super) fn patch(why: impl Into<String>) -> Self {
        Self { class: ChangeClass::Patch, why: why.into() }
    }

    pub(super) fn minor(why: impl Into<String>) -> Self {
        Self { class: ChangeClass::Minor, why: why.into() }
    }

    pub(super) fn major(why: impl Into<String>) -> Self {
        Self { class: ChangeClass::Major, why: why.into() }
    }

    /// Returns minor if the change is proven to tighten, major otherwise.
    pub(super) fn of(strictness: &Strictness) -> Self {
        let why = strictness.reason();
        match strictness {
            Strictness::Same | Strictness::Tighter(_) => Self::minor(why),
            Strictness::Looser(_) => Self::major(format!("loosened: {why}")),
            Strictness::Unproven(_) => Self::major(format!("not proven to tighten: {why}")),
        }
    }
}

/// The comparison of a field.
pub(super) enum Shape {
    /// The version, which the changes are compared with.
    VersionNumber,
    /// Wording that only people read: it has no effect at run time.
    Words,
    /// Text that reaches the prompt: a model reads it.
    ModelText,
    /// Any change affects behaviour, for this reason.
    Behaviour(&'static str),
    /// A change is judged as a whole.
    Judged(fn(&Spot<'_>) -> Verdict),
    /// Each member has its own shape; one that is not listed counts as behaviour.
    Object(&'static [(&'static str, Shape)]),
    /// A list whose items have an identity.
    Keyed(&'static Keyed),
    /// A list of plain texts.
    Texts(&'static Texts),
}

/// A list whose items have an identity, so that moving one is not removing it.
pub(super) struct Keyed {
    /// The noun for an item.
    pub(super) noun: &'static str,
    /// The member that identifies an item; a plain text identifies itself.
    pub(super) id: &'static str,
    /// The naming of an item.
    pub(super) named: Named,
    /// The meaning of the order.
    pub(super) order: Order,
    /// The verdict on a new item.
    pub(super) added: fn(&Spot<'_>) -> Verdict,
    /// The reason why a removed item breaks a consumer.
    pub(super) removed: &'static str,
    /// The shape of an item that stayed.
    pub(super) item: Shape,
}

/// A list of plain texts.
pub(super) struct Texts {
    /// The noun for an item.
    pub(super) noun: &'static str,
    /// The meaning of the order.
    pub(super) order: Order,
    /// The verdict on a new text.
    pub(super) added: (ChangeClass, &'static str),
    /// The verdict on a removed text.
    pub(super) removed: (ChangeClass, &'static str),
}

/// The naming of an item.
#[derive(Clone, Copy)]
pub(super) enum Named {
    /// By its own id.
    Alone,
    /// By the id of its owner and its own: `adp_orders.lookup`.
    WithOwner,
}

/// The meaning of the order of a list.
#[derive(Clone, Copy)]
pub(super) enum Order {
    /// The order has no meaning.
    Free,
    /// The order has a meaning, for this reason.
    Meant(&'static str),
}

/// The values before and after.
pub(super) type Pair<'a> = (Option<&'a Value>, Option<&'a Value>);

/// A change with its surroundings.
pub(super) struct Spot<'a> {
    /// The value before.
    pub(super) before: Option<&'a Value>,
    /// The value after.
    pub(super) after: Option<&'a Value>,
    /// The values that contain it, outermost first.
    pub(super) parents: &'a [Pair<'a>],
    /// The older pack.
    pub(super) old: &'a ContextPack,
    /// The newer pack.
    pub(super) new: &'a ContextPack,
}

impl<'a> Spot<'a> {
    /// Returns the value that contains it: 0 for the nearest.
    pub(super) fn up(&self, levels: usize) -> Pair<'a> {
        let index = self.parents.len().checked_sub(levels + 1);
        index.and_then(|i| self.parents.get(i)).copied().unwrap_or((None, None))
    }

    /// Returns both sides as a type; `None` if one is absent or of another type.
    pub(super) fn both<T: DeserializeOwned>(&self) -> Option<(T, T)> {
        Some((typed(self.before?)?, typed(self.after?)?))
    }

    /// Returns both sides as numbers.
    pub(super) fn numbers(&self) -> Option<(f64, f64)> {
        Some((self.before?.as_f64()?, self.after?.as_f64()?))
    }
}

/// Deserializes a value.
pub(super) fn typed<T: DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(value.clone()).ok()
}
