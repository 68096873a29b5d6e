//! The table of classes as data: a shape for every field, so that a field without one cannot be missed.

use super::class::ChangeClass;
use super::effect::ChangeEffect;
use crate::overlay::tighten::Strictness;
use deed_model::ContextPack;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A class and an effect, with the reason for them.
pub(super) struct Verdict {
    pub(super) class: ChangeClass,
    pub(super) effect: ChangeEffect,
    pub(super) why: String,
}

impl Verdict {
    /// Returns a patch, which changes nothing that is enforced.
    pub(super) fn patch(why: impl Into<String>) -> Self {
        Self { class: ChangeClass::Patch, effect: ChangeEffect::None, why: why.into() }
    }

    /// Returns a minor change, which is proven to tighten.
    pub(super) fn minor(why: impl Into<String>) -> Self {
        Self { class: ChangeClass::Minor, effect: ChangeEffect::Tightens, why: why.into() }
    }

    /// Returns a major change, which is not proven to tighten.
    pub(super) fn major(why: impl Into<String>) -> Self {
        Self { class: ChangeClass::Major, effect: ChangeEffect::Unproven, why: why.into() }
    }

    /// Returns a major change that is proven to tighten: what worked before may be refused.
    pub(super) fn breaking(why: impl Into<String>) -> Self {
        Self::major(why).with(ChangeEffect::Tightens)
    }

    /// Replaces the effect.
    pub(super) fn with(self, effect: ChangeEffect) -> Self {
        Self { effect, ..self }
    }

    /// Adds that a model reads another text.
    pub(super) fn read_by_model(self) -> Self {
        let effect = self.effect.max(ChangeEffect::PromptText);
        Self { effect, ..self }
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
    /// Text that reaches the prompt, and that behaviour depends on for this reason.
    Prompt(&'static str),
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
    /// The verdict on a removed item.
    pub(super) removed: fn(&Spot<'_>) -> Verdict,
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
    pub(super) added: (ChangeClass, ChangeEffect, &'static str),
    /// The verdict on a removed text.
    pub(super) removed: (ChangeClass, ChangeEffect, &'static str),
    /// The meaning of an empty list.
    pub(super) empty: Empty,
}

/// The meaning of an empty list of texts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Empty {
    /// It admits nothing, or asks for nothing.
    Nothing,
    /// It bounds nothing: everything is admitted.
    Unbounded,
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
    /// A model reads the items in that order.
    Read(&'static str),
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
